/** A tool that runs commands in containers: `docker exec`, `kubectl exec`. */
export interface ContainerTool {
  /** The words behind the name, global options left out, that run a command in the container named next. */
  readonly subcommands: ReadonlyArray<string>;
  /** Global options that take their value from the next word. */
  readonly globalValues: ReadonlyArray<string>;
  /** Options without a value; a cluster of short ones counts as them. */
  readonly flags: ReadonlyArray<string>;
  /** The command stands behind `--`. */
  readonly hasDashes: boolean;
  /** Options with a value. */
  readonly values: ReadonlyArray<string>;
}

const words = (text: string): ReadonlyArray<string> => text.split(" ");

const docker: ContainerTool = {
  hasDashes: false,
  subcommands: [
    "exec",
    "run",
    "create",
    "container exec",
    "container run",
    "container create",
    "compose exec",
    "compose run",
  ],
  globalValues: words(
    "-H --host -c --context --config -l --log-level --tlscacert --tlscert --tlskey -f --file -p --project-name",
  ),
  flags: words(
    "-d --detach -i --interactive -t --tty --rm --privileged --init --read-only --no-healthcheck --sig-proxy -P " +
      "--publish-all --oom-kill-disable --disable-content-trust -q --quiet -T --no-TTY --no-tty --no-deps --build --service-ports",
  ),
  values: words(
    "-e --env --env-file -v --volume -w --workdir -u --user --name -p --publish --network --net --entrypoint -h --hostname " +
      "--mount -l --label -m --memory --cpus --add-host --dns --restart --platform --pull --gpus --shm-size --ulimit " +
      "--security-opt --cap-add --cap-drop --device --tmpfs --volumes-from --cidfile --ipc --pid --log-driver --log-opt " +
      "--stop-signal --stop-timeout --userns --uts --link --expose --group-add --detach-keys --index --annotation",
  ),
};

const compose: ContainerTool = { ...docker, subcommands: ["exec", "run"] };

const kubectl: ContainerTool = {
  hasDashes: true,
  subcommands: ["exec", "run", "debug"],
  globalValues: words("-n --namespace --context --kubeconfig --cluster --user -s --server --token --as"),
  flags: words("-i --stdin -t --tty -q --quiet --rm --command --attach"),
  values: words(
    "-c --container -n --namespace --context --kubeconfig -f --filename --image --restart --pod-running-timeout -l",
  ),
};

/** By program name. */
export const containerTools: ReadonlyMap<string, ContainerTool> = new Map([
  ["docker", docker],
  ["podman", docker],
  ["nerdctl", docker],
  ["docker-compose", compose],
  ["podman-compose", compose],
  ["crictl", { ...docker, subcommands: ["exec"] }],
  ["kubectl", kubectl],
  ["oc", kubectl],
]);

import type { CommandEntry } from "./CommandEntry.ts";

const daemon = "the container engine";

/** Containers. A container may mount the whole machine, so running one counts as anything. */
export const containerEngines: ReadonlyArray<CommandEntry> = [
  {
    command: "docker | podman | nerdctl | docker compose | docker-compose | podman compose | podman-compose",
    risk: "remote-write",
    operands: "unknown*",
    options: {
      "-H= --host= -c= --context= --config= -D --debug -l= --log-level= --tlscacert= -f= --file= -p= --project-name= --profile= --env-file= --project-directory= --url= --connection= --remote --progress= --ansi=":
        "unknown",
    },
    examples: { "docker frobnicate": "ask remote-write", "docker -H tcp://x.test ps": "ask remote-write" },
  },
  {
    command:
      "docker ps | docker images | docker version | docker info | docker container ls | docker image ls | docker volume ls | docker network ls | docker compose ps | docker compose ls | " +
      "docker compose images | docker-compose ps | podman ps | podman images | podman version | podman info | docker context ls | docker system df | docker --version | podman --version",
    risk: "read",
    operands: "text*",
    flags:
      "-a -q -l -s -n= -f= --all --quiet --latest --size --last= --filter= --format= --no-trunc --digests --services --status= --verbose -v",
    also: { connects: daemon },
    isSafe: true,
    examples: { "docker ps -a": "allow read connect:the container engine", "docker images --format x": "allow" },
  },
  {
    command:
      "docker logs | docker top | docker stats | docker port | docker diff | docker history | docker inspect | docker events | docker search | docker compose logs | docker compose top | docker compose config | " +
      "docker compose port | docker compose version | docker-compose logs | docker-compose config | podman logs | podman inspect | podman top | podman stats | docker container inspect | docker image inspect",
    risk: "read",
    operands: "text*",
    flags:
      "-f -n= -t -q -s --follow --tail= --since= --until= --timestamps --details --no-stream --no-trunc --format= --size --type= --filter= --limit= --services --volumes --no-color --no-log-prefix",
    options: { "-o= --output=": "writes" },
    also: { connects: daemon },
    examples: { "docker logs -f --tail 50 web": "ask read connect:the container engine" },
  },
  {
    command:
      "docker run | docker exec | docker create | docker compose run | docker compose exec | docker-compose run | docker-compose exec | podman run | podman exec | podman create | docker container run | docker container exec | nerdctl run",
    risk: "remote-write",
    operands: "text runs*",
    flags: "*",
    options: {
      "-e= --env= -p= --publish= --name= -w= --workdir= -u= --user= --network= --net= --entrypoint= -l= --label= -h= --hostname= --platform= --cpus= -m= --memory= --add-host= --device= --cap-add= --security-opt= --restart=":
        "text",
      "-v= --volume= --mount=": "mounts",
      "--env-file=": "reads",
      "--cidfile=": "writes",
    },
    also: { connects: daemon },
    isRunner: true,
    examples: {
      "docker run --rm -v /:/host alpine ls":
        "ask remote-write read:elsewhere:. write:/ execute:ls connect:the container engine",
      "docker exec -it web sh": "ask remote-write execute:sh connect:the container engine",
    },
  },
  {
    command:
      "docker build | docker buildx build | docker compose build | docker-compose build | podman build | docker compose up | docker compose start | docker compose restart | docker compose pull | docker compose create | docker compose watch | " +
      "docker-compose up | docker-compose start | docker-compose pull | podman compose up | docker image build | buildah",
    risk: "remote-write",
    operands: "reads*",
    flags: "*",
    options: {
      "-t= --tag= --build-arg= --target= --platform= --progress= --label= --network= --cache-from= --cache-to= --scale= --secret= --ssh=":
        "text",
      "-f= --file=": "reads",
      "-o= --output= --iidfile= --metadata-file=": "writes",
    },
    also: { runs: "the project's container files", connects: daemon },
    examples: {
      "docker build -t app .":
        "ask remote-write read:. execute:the project's container files connect:the container engine",
    },
  },
  {
    command:
      "docker start | docker restart | docker pause | docker unpause | docker pull | docker tag | docker rename | docker commit | docker import | docker load | docker save | docker export | docker cp | docker attach | docker wait | docker update | " +
      "docker network create | docker network connect | docker volume create | docker login | docker logout | podman pull | podman start | docker compose cp | docker compose pause",
    risk: "remote-write",
    operands: "text*",
    flags: "*",
    options: { "-o= --output=": "writes", "-i= --input=": "reads" },
    also: { connects: daemon },
    examples: { "docker save -o a.tar app": "ask remote-write write:a.tar connect:the container engine" },
  },
  {
    command:
      "docker rm | docker rmi | docker kill | docker stop | docker system prune | docker image prune | docker container prune | docker volume prune | docker network prune | docker builder prune | docker volume rm | docker network rm | " +
      "docker image rm | docker container rm | docker container stop | docker compose down | docker compose rm | docker compose stop | docker compose kill | docker-compose down | docker-compose rm | docker-compose stop | " +
      "docker push | docker image push | podman rm | podman rmi | podman stop | podman kill | podman push | podman system prune | docker stack rm | docker swarm leave | docker service rm | docker secret rm",
    risk: "irreversible",
    operands: "text*",
    flags: "*",
    also: { connects: daemon },
    examples: {
      "docker rm -f web": "ask irreversible connect:the container engine",
      "docker system prune -af": "ask irreversible",
    },
  },
];

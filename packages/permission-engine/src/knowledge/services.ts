import type { CommandEntry } from "./CommandEntry.ts";

/** Services, their logs, and what runs later. */
export const services: ReadonlyArray<CommandEntry> = [
  {
    command: "systemctl | service | launchctl | rc-service | supervisorctl | pm2 | initctl",
    risk: "irreversible",
    operands: "text*",
    flags: "*",
    examples: { "systemctl restart nginx": "ask irreversible", "service nginx stop": "ask irreversible" },
  },
  {
    command:
      "systemctl status | systemctl show | systemctl cat | systemctl is-active | systemctl is-enabled | systemctl is-failed | " +
      "systemctl list-units | systemctl list-unit-files | systemctl list-timers | systemctl list-dependencies | launchctl list | " +
      "launchctl print | pm2 list | pm2 ls | pm2 status | supervisorctl status",
    risk: "read",
    operands: "text*",
    flags:
      "-l -a -n= -o= -p= -t= --all --full --lines= --no-pager --output= --plain --property= --state= --type= --user --value --failed --no-legend",
    examples: { "systemctl status nginx --no-pager": "ask read" },
  },
  {
    command: "journalctl | dmesg | last | lastlog",
    risk: "read",
    operands: "text*",
    flags:
      "-# -b[=] -e -f -k -n= -o= -p= -r -q -u= -t= -x -g= -S= -U= -H -T -w -l -a --boot[=] --catalog --follow --grep= --lines= --no-pager --output= --pager-end " +
      "--priority= --reverse --since= --unit= --until= --user --system --utc --dmesg --list-boots --disk-usage --human --level= --facility= --color[=]",
    options: {
      "--vacuum-size= --vacuum-time= --vacuum-files= --rotate --flush --sync --setup-keys -c -C -D -E --clear --read-clear --console-off":
        "irreversible",
      "-D= --directory= --file= --root=": "reads",
    },
    examples: { "journalctl -u nginx -n 50": "ask read", "journalctl --vacuum-size=1M": "ask irreversible" },
  },
  {
    command: "pm2 start",
    risk: "irreversible",
    operands: "runs passed*",
    flags: "*",
    isRunner: true,
    examples: { "pm2 start app.js": "ask irreversible execute:app.js" },
  },
  {
    command: "crontab | at | batch",
    risk: "irreversible",
    operands: "runs*",
    flags: "*",
    isRunner: true,
    examples: { "crontab jobs.txt": "ask irreversible execute:jobs.txt" },
  },
  {
    command: "crontab -l | atq",
    risk: "read",
    operands: "",
    examples: { "crontab -l": "ask read" },
  },
  {
    command: "defaults | plutil | gsettings | dconf",
    risk: "irreversible",
    operands: "text*",
    flags: "*",
    examples: { "defaults write x y z": "ask irreversible" },
  },
  {
    command: "defaults read | gsettings get | dconf read",
    risk: "read",
    operands: "text*",
    examples: { "defaults read x": "ask read" },
  },
  {
    // What they are given is looked at and not run.
    command: "kumiko permissions explain | kumiko permissions check | kumiko permissions test",
    risk: "read",
    operands: "text*",
    flags: "*",
    examples: { "kumiko permissions check 'rm -rf /'": "ask read" },
  },
  {
    command: "tmux | screen",
    risk: "remote-write",
    operands: "runs*",
    flags: "*",
    isRunner: true,
    examples: { "tmux new-session -d ./x": "ask remote-write" },
  },
];

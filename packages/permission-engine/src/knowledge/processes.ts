import type { CommandEntry } from "./CommandEntry.ts";

/** Processes, users and the machine as it is. */
export const processes: ReadonlyArray<CommandEntry> = [
  {
    command: "ps",
    risk: "read",
    operands: "",
    // Other options and the words without a dash show the environment of processes, and with it secrets.
    flags: "-e -f -A -a -x -p= -u= -H -l -F --forest --no-headers --sort= --pid= --version",
    options: { "-o= -O= --format=": "unknown" },
    isSafe: true,
    examples: { "ps -ef": "allow read", "ps auxe": "ask", "ps eww": "ask", "ps -o args": "ask" },
  },
  { command: "ps aux", risk: "read", operands: "", isSafe: true, examples: { "ps aux": "allow read" } },
  {
    command: "pgrep | pidof",
    risk: "read",
    operands: "text*",
    flags:
      "-a -f -i -l -n -o -x -u= -U= -c -d= -v -P= -s -q --full --list-full --list-name --newest --oldest --exact --count",
    isSafe: true,
    examples: { "pgrep -fl node": "allow read" },
  },
  {
    command: "kill",
    risk: "local-write",
    operands: "kills*",
    flags: "*",
    examples: { "kill 1234": "ask local-write", "kill -9 1": "hard-block" },
  },
  {
    // Whether a process is there.
    command: "kill -0",
    risk: "read",
    operands: "text*",
    isSafe: true,
    unless: /\D/,
    examples: { "kill -0 1234": "allow read", "kill -0 -9 1": "ask" },
  },
  {
    command: "kill -l | kill -L",
    risk: "read",
    operands: "text*",
    examples: { "kill -l": "ask read" },
  },
  {
    command: "pkill | killall | killall5 | xkill | skill",
    risk: "local-write",
    operands: "kills*",
    flags: "*",
    examples: { "pkill -f vite": "ask local-write", "pkill init": "hard-block" },
  },
  {
    command: "whoami | id | groups | uname | nproc | tty | uptime | who | w | users | logname",
    risk: "read",
    operands: "text*",
    flags:
      "-a -s -n -r -v -m -p -i -o -u -g -G -z -b -d -H -l -q -t -T -f --all --user --group --groups --name --real --zero --kernel-name --nodename " +
      "--kernel-release --kernel-version --machine --processor --hardware-platform --operating-system --ignore= --pretty --since " +
      "--boot --count --heading --help --version",
    isSafe: true,
    examples: { whoami: "allow read", "uname -a": "allow", "id -u": "allow" },
  },
  {
    // On macOS it runs what it is given.
    command: "arch",
    risk: "read",
    flags: "--help --version",
    isSafe: true,
    examples: { arch: "allow read", "arch ./x": "ask remote-write" },
  },
  {
    command: "hostname",
    risk: "irreversible",
    operands: "text",
    flags: "-f -s -i -I -d -A -y --fqdn --short --ip-address --all-ip-addresses --domain",
    options: { "-F= -b= --file=": "unknown" },
    examples: { "hostname evil": "ask irreversible" },
  },
  {
    command: "free | vmstat | tput",
    risk: "read",
    operands: "text*",
    flags:
      "-b -k -m -g -h -w -t -l -a -s= -c= -S= -d -n -f --human --mega --giga --total --wide --bytes --kibi --mebi --gibi",
    isSafe: true,
    unless: /^(?:init|reset)$/,
    examples: { "free -h": "allow read", "tput cols": "allow read" },
  },
  {
    command: "lscpu | lsblk | iostat | lsusb | lspci | dmidecode | sw_vers | getconf | locale",
    risk: "read",
    operands: "lists*",
    flags: "*",
    examples: { "lsblk -f": "ask read" },
  },
  {
    command: "df",
    risk: "read",
    operands: "lists*",
    flags:
      "-a -B= -h -H -i -k -l -m -P -T -t= -x= -v --all --block-size= --human-readable --inodes --local --no-sync --portability --print-type --si --total " +
      "--type= --exclude-type= --help --version",
    options: { "--sync": "unknown", "--output[=]": "text" },
    isSafe: true,
    examples: { "df -h": "allow read", "df -h .": "allow read read:." },
  },
  {
    command: "lsof | fuser",
    risk: "read",
    operands: "lists*",
    flags: "-i[=] -n -P -p= -t -u= -c= -a -l -s[=] -F[=] -r[=] -v -d= -b -w -U -V -T -X -R",
    when: { "-k --kill": { risk: "local-write", operands: "kills*" } },
    examples: { "lsof -i:3000": "ask read", "fuser -k 3000/tcp": "ask local-write" },
  },
  {
    command: "top | htop | btop | glances",
    risk: "read",
    operands: "",
    flags: "-b -n= -d= -p= -u= -o= -l= -H -c -i -s= -1",
    examples: { "top -b -n 1": "ask read" },
  },
  {
    command: "printenv | env",
    risk: "read",
    operands: "text*",
    flags: "-0 --null",
    // It prints secrets: never without a rule.
    examples: { "printenv HOME": "ask read", env: "ask read" },
  },
  {
    command: "sysctl",
    risk: "read",
    operands: "text*",
    flags: "-a -n -e -N -q -A --all --values --names",
    options: { "-w --write": "irreversible", "-p= -f= --load= --system": "irreversible" },
    when: { "-w --write": { risk: "irreversible" } },
    examples: { "sysctl kern.ostype": "ask read", "sysctl -w a=b": "ask irreversible" },
  },
  {
    command: "man | info | apropos | whatis | tldr",
    risk: "read",
    operands: "text*",
    flags: "-k -f -a -w -s= -l --apropos --whatis --where",
    options: { "-P= --pager= -H= --html=": "script", "-C= --config-file= -M= --manpath=": "runs" },
    examples: { "man ls": "ask read", "man -P ./x ls": "ask remote-write execute:./x unknown:what ./x does" },
  },
  {
    command: "ip | ifconfig | route | iptables | nft | ufw | networksetup | scutil",
    risk: "irreversible",
    operands: "text*",
    flags: "*",
    examples: { "ip netns exec x id": "ask remote-write", "ip link set eth0 down": "ask irreversible" },
  },
  {
    command: "ip addr show | ip a show | ip route show | ip link show | netstat | ss | arp",
    risk: "read",
    operands: "text*",
    flags: "-a -n -t -u -l -p -r -s -4 -6 -i -e -o -x -W -c -br",
    options: { "-K --kill -F= -D=": "irreversible" },
    examples: { "ss -tlnp": "ask read", "netstat -an": "ask read" },
  },
  {
    command: "shutdown | reboot | halt | poweroff | telinit | init",
    risk: "irreversible",
    operands: "text*",
    flags: "*",
    also: { deletes: "the running system" },
    examples: { "shutdown -h now": "ask irreversible" },
  },
  {
    command:
      "useradd | userdel | usermod | groupadd | groupdel | passwd | chpasswd | visudo | chsh | adduser | deluser",
    risk: "irreversible",
    operands: "text*",
    flags: "*",
    examples: { "userdel -r bob": "ask irreversible" },
  },
  {
    command: "open | xdg-open | start | pbcopy | pbpaste | xclip | xsel | osascript | notify-send | say",
    risk: "remote-write",
    operands: "runs*",
    flags: "*",
    isRunner: true,
    examples: { "open https://x.test": "ask remote-write" },
  },
];

import type { CommandEntry } from "./CommandEntry.ts";

const systemPackages = "packages of the system";

/** Package managers of the system. */
export const packages: ReadonlyArray<CommandEntry> = [
  {
    command:
      "apt-get | apt | aptitude | dpkg | yum | dnf | rpm | zypper | pacman | yay | apk | brew | port | snap | flatpak | winget | choco | scoop | emerge | pkg | nix-channel | softwareupdate",
    risk: "irreversible",
    operands: "text*",
    flags: "*",
    options: { "-o= --option= -c= --config-file=": "redefines", "--pre-invoke= --post-invoke=": "script" },
    also: { runs: systemPackages },
    examples: {
      "apt-get install -y vim": "ask irreversible execute:packages of the system",
      "brew uninstall x": "ask irreversible",
    },
  },
  {
    command:
      "apt list | apt search | apt show | apt-cache | apt-cache search | apt-cache show | apt-cache policy | dpkg -l | dpkg -L | dpkg -s | dpkg -S | rpm -qa | rpm -qi | rpm -ql | dnf list | dnf info | dnf search | yum list | yum info | " +
      "pacman -q | pacman -qi | pacman -ql | apk info | apk search | brew list | brew ls | brew info | brew search | brew outdated | brew deps | brew leaves | brew --version | brew --prefix | brew config | brew doctor | snap list | flatpak list | port installed",
    risk: "read",
    operands: "text*",
    flags:
      "--installed --upgradable -a -q -v -l --json[=] --formula --cask --versions --tree --full-name --all-versions -r -t",
    options: { "-o= -c= --config-file= --option=": "unknown" },
    examples: {
      "apt list --installed": "ask read",
      "brew list": "ask read",
      "apt-cache -o x=y show z": "ask remote-write",
    },
  },
];

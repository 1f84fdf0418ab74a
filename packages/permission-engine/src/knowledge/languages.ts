import type { CommandEntry } from "./CommandEntry.ts";

/** Interpreters: what their code does is not read, so none is ever on the safe list. */
export const languages: ReadonlyArray<CommandEntry> = [
  {
    command:
      "sh | bash | zsh | dash | ksh | mksh | ash | fish | csh | tcsh | yash | rbash | pwsh | powershell | nu | xonsh",
    risk: "remote-write",
    operands: "runs text*",
    flags: "-e -u -x -v -n -f -i -l -s --login --posix --norc --noprofile --verbose -NoProfile -NonInteractive",
    options: {
      "-c= -Command= -EncodedCommand=": "code",
      "-File= --rcfile= --init-file=": "runs",
      "-o= -O= +o= +O=": "text",
    },
    when: { "-c= -Command=": { operands: "text*" } },
    isRunner: true,
    examples: {
      "bash script.sh": "ask remote-write execute:script.sh",
      "bash -lc ./x": "ask remote-write",
    },
  },
  {
    command: "source | . | eval | exec | trap | alias | unalias | enable | hash | shopt | bind | command | builtin",
    risk: "remote-write",
    operands: "runs text*",
    flags: "*",
    isRunner: true,
    examples: { "source env.sh": "ask remote-write execute:env.sh" },
  },
  {
    command:
      "perl | ruby | php | lua | luajit | tclsh | rscript | groovy | scala | kotlin | elixir | erl | julia | guile | racket | sbcl | ghci | runghc | swift | irb",
    risk: "remote-write",
    operands: "runs text*",
    flags: "-n -p -w -W -l -a -0 -s -t -T -v -u -c -C= -F= -x",
    options: { "-e= -E= -r= --eval= --execute=": "code", "-M= -I= -m= -d= -f=": "text" },
    when: {
      "-e= -E= -r= --eval= --execute=": { operands: "reads*" },
      "-i[=]": { operands: "writes*" },
    },
    isRunner: true,
    examples: {
      "perl -e 'print 1'": "ask remote-write execute:print 1",
      "perl -i -pe s/a/b/ x.txt": "ask remote-write execute:s/a/b/ write:x.txt",
      "ruby a.rb": "ask remote-write execute:a.rb",
    },
  },
  {
    command: "java | javac | kotlinc | scalac | dotnet run | dotnet | mono",
    risk: "remote-write",
    operands: "runs text*",
    flags: "*",
    options: { "-jar=": "runs", "-d=": "writes", "-cp= -classpath= --class-path=": "text" },
    isRunner: true,
    examples: { "java -jar a.jar": "ask remote-write execute:a.jar" },
  },
  {
    command: "gem | bundle | composer | mix | cabal | stack | opam | nimble | rebar3 | luarocks | cpan | cpanm",
    risk: "remote-write",
    operands: "runs text*",
    flags: "*",
    isRunner: true,
    examples: { "bundle exec rake": "ask remote-write" },
  },
  {
    command:
      "gdb | lldb | expect | script | watchexec | entr | foreman | overmind | direnv | asdf | mise | nix | nix-shell | nix-env",
    risk: "remote-write",
    operands: "runs text*",
    flags: "*",
    isRunner: true,
    examples: { "gdb -ex run ./a": "ask remote-write" },
  },
  {
    command: "hyperfine",
    risk: "remote-write",
    operands: "script*",
    flags:
      "-w= -m= -M= -r= -N -i -u= --warmup= --min-runs= --max-runs= --runs= --shell=none --ignore-failure --style= --sort= --time-unit= --show-output -n= --command-name=",
    options: {
      "-p= --prepare= -c= --cleanup= -s= --setup= --conclude=": "script",
      "-S= --shell=": "redefines",
      "-L== --parameter-list== -P== -D=": "text",
      "--export-json= --export-csv= --export-markdown= --export-asciidoc= --output=": "writes",
    },
    isRunner: true,
    examples: { "hyperfine -w 3 'ls src'": "ask remote-write execute:ls src read:src" },
  },
  {
    command: "concurrently | pee | mispipe | npm-run-all",
    risk: "remote-write",
    operands: "script*",
    flags:
      "-k -r -g -n= -c= -p= -s= -m= --kill-others --kill-others-on-fail --names= --prefix= --success= --raw --group --max-processes=",
    isRunner: true,
    examples: { "concurrently -k 'ls a' 'ls b'": "ask remote-write execute:ls a execute:ls b read:a read:b" },
  },
  {
    command: "nodemon",
    risk: "remote-write",
    operands: "runs passed*",
    flags: "-e= -w= -i= -d= -q -V -L -C --ext= --watch= --ignore= --delay= --signal= --quiet --legacy-watch",
    options: { "-x= --exec=": "script", "-r= --require= --config=": "runs" },
    isRunner: true,
    examples: { "nodemon --exec 'ls src'": "ask remote-write execute:ls src read:src" },
  },
];

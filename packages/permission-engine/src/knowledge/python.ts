import type { CommandEntry } from "./CommandEntry.ts";

const tests = "the project's tests";
const index = "the package index";
const pytestFlags =
  "-q -v -vv -x -s -l -k= -m= -r= -n= --tb= --lf --ff --nf --sw --maxfail= --durations= --durations-min= --collect-only --co --no-header --no-summary --last-failed " +
  "--failed-first --exitfirst --verbose --quiet --showlocals --capture= --color= --strict-markers --strict-config --disable-warnings " +
  "--stepwise --markers --fixtures --import-mode= --numprocesses= --version";

/** Python: the interpreter, package managers, tests and checks. */
export const python: ReadonlyArray<CommandEntry> = [
  {
    command: "python | python2 | python3 | pypy | pypy3",
    risk: "remote-write",
    operands: "runs text*",
    flags: "-b -B -d -E -h -i -I -O -OO -P -q -s -S -u -v -x -W= -X= -?",
    options: { "-c=": "code", "-m=": "runs" },
    when: { "-c=": { operands: "text*" } },
    isRunner: true,
    examples: {
      "python3 script.py a": "ask remote-write execute:script.py",
      "python3 -c 'import os'": "ask remote-write execute:import os",
      "python3.12 -m http.server": "ask remote-write execute:http.server",
    },
  },
  {
    command:
      "python --version | python3 --version | python -V | python3 -V | pip --version | pip3 --version | uv --version | ruff --version | mypy --version",
    risk: "read",
    operands: "",
    isSafe: true,
    examples: { "python3 --version": "allow read" },
  },
  {
    command: "pytest | py.test | python -m pytest | python3 -m pytest",
    risk: "local-write",
    operands: "targets*",
    flags: pytestFlags,
    options: {
      "--pyargs -c= --rootdir= --confcutdir= --basetemp= --junitxml= --junit-xml= --log-file= --debug[=] --pastebin=":
        "unknown",
      "-p= -o= --override-ini= --pdbcls=": "redefines",
      "--cov[=] --cov-report=": "local-write",
    },
    byValue: {
      "-p": { fits: /^no:/, role: "text" },
      "-o": { fits: /^addopts=$|^(?:log_cli|xfail_strict|console_output_style)=\w*$/, role: "text" },
    },
    also: { runs: tests, writes: "." },
    isSafe: true,
    examples: {
      "pytest -q tests": "allow local-write",
      "pytest -x -k 'a or b' tests/test_a.py::test_b": "allow",
      "python3 -m pytest": "allow local-write execute:the project's tests write:.",
      "pytest -p evil": "ask remote-write",
      "pytest --rootdir=/tmp": "ask remote-write",
    },
  },
  {
    command: "python -m unittest | python3 -m unittest",
    risk: "local-write",
    operands: "text*",
    flags: "-v -q -f -b --verbose --quiet --failfast --buffer -k=",
    options: { "-s= -t= -p= --start-directory= --top-level-directory= --pattern=": "unknown" },
    also: { runs: tests, writes: "." },
    isSafe: true,
    unless: /\/|\.\./,
    examples: {
      "python3 -m unittest tests.test_a -v": "allow local-write",
      "python3 -m unittest discover -s /tmp": "ask remote-write",
      "python3 -m unittest /tmp/x.py": "ask",
    },
  },
  {
    command: "python -m json.tool | python3 -m json.tool",
    risk: "read",
    operands: "reads writes",
    flags: "--sort-keys --no-ensure-ascii --json-lines --indent= --tab --no-indent --compact",
    examples: {
      "python3 -m json.tool a.json": "ask read read:a.json",
      "python3 -m json.tool a.json b.json": "ask local-write read:a.json write:b.json",
    },
  },
  {
    command: "python -m venv | python3 -m venv | virtualenv | uv venv",
    risk: "local-write",
    operands: "writes*",
    flags: "--system-site-packages --symlinks --copies --clear --upgrade --without-pip --prompt= -p= --python= --seed",
    examples: { "python3 -m venv .venv": "ask local-write write:.venv" },
  },
  {
    command: "python -m py_compile | python3 -m py_compile | python -m compileall | tox | nox",
    risk: "local-write",
    operands: "text*",
    flags: "*",
    also: { runs: tests, writes: "." },
    examples: { "python3 -m py_compile a.py": "ask local-write" },
  },
  {
    command:
      "pip | pip3 | pipx | uv | poetry | pdm | rye | conda | mamba | pipenv | hatch | python -m pip | python3 -m pip | uvx | uv tool run | uv run | poetry run | " +
      "pipenv run | pdm run | hatch run | pipx run | conda run",
    risk: "remote-write",
    operands: "runs text*",
    flags: "*",
    isRunner: true,
    examples: {
      "uv run pytest": "ask remote-write execute:pytest execute:the project's tests write:.",
      "pip frobnicate": "ask remote-write",
    },
  },
  {
    command:
      "pip install | pip3 install | pip uninstall | pip3 uninstall | python -m pip install | python3 -m pip install | pip download | pip wheel | uv add | uv remove | " +
      "uv sync | uv lock | uv pip install | uv pip uninstall | uv tool install | poetry add | poetry remove | poetry install | " +
      "poetry update | poetry lock | pipenv install | pdm add | pdm install | conda install | conda create | pipx install",
    risk: "remote-write",
    operands: "text*",
    flags: "*",
    options: { "-r= --requirement= -c= --constraint=": "reads", "-t= --target= -d= --dest=": "writes" },
    also: { runs: "build scripts of packages", writes: ".", connects: index },
    isRunner: true,
    examples: {
      "pip install -r req.txt":
        "ask remote-write read:req.txt execute:build scripts of packages write:. connect:the package index",
    },
  },
  {
    command: "pip list | pip show | pip freeze | pip check | pip3 list | pip3 show | pip3 freeze | conda list",
    risk: "read",
    operands: "text*",
    flags:
      "-l -f -v --local --user --format= --files --verbose --not-required --exclude= --all --tree --no-dev --outdated-no --depth=",
    isSafe: true,
    examples: { "pip list": "allow read", "pip show effect": "allow", "pip list --path /x": "ask" },
  },
  {
    // Modules, plugins and interpreters of the project run before anything is listed.
    command:
      "python -m pip list | python3 -m pip list | uv pip list | uv pip show | uv pip freeze | uv tree | poetry show | poetry --version | pytest --version",
    risk: "local-write",
    operands: "text*",
    flags: "-l -v --local --user --format= --files --verbose --not-required --exclude= --all --tree --no-dev --depth=",
    also: { runs: "what the project's settings name" },
    isSafe: true,
    examples: { "python3 -m pip list": "allow local-write execute:what the project's settings name" },
  },
  {
    command: "twine upload | poetry publish | uv publish | hatch publish",
    risk: "irreversible",
    operands: "text*",
    flags: "*",
    also: { connects: index },
    examples: { "twine upload dist/*": "ask irreversible" },
  },
  {
    command: "ruff format | black | isort | pyupgrade | yapf | autoflake",
    risk: "local-write",
    operands: "may-write*",
    here: "may-write",
    flags: "*",
    when: { "--check --diff --check-only -c": { operands: "text*" } },
    recursive: "always",
    also: { writes: "." },
    examples: { "black src": "ask local-write write:src write:." },
  },
  {
    command: "ruff check",
    risk: "local-write",
    operands: "targets*",
    flags:
      "-q -v -s --quiet --verbose --silent --select= --ignore= --extend-select= --extend-ignore= --statistics --show-files --preview --no-preview -e --exit-zero --output-format= --target-version= --line-length= -n --no-cache --no-fix --diff",
    options: {
      "--config= --cache-dir= --stdin-filename= -o= --output-file= -w --watch": "unknown",
    },
    when: { "--fix --fix-only --unsafe-fixes --add-noqa": { operands: "may-write*" } },
    recursive: "always",
    also: { writes: "." },
    isSafe: true,
    examples: {
      "ruff check src": "allow local-write read:src write:.",
      "ruff check --fix src": "ask local-write write:src write:.",
      "ruff check --config x src": "ask remote-write",
    },
  },
  {
    command: "black --check | isort --check-only | isort --check | ruff format --check | ruff format --diff",
    risk: "local-write",
    operands: "targets*",
    flags: "-q -v --quiet --verbose --diff",
    isSafe: true,
    examples: { "black --check src": "allow local-write read:src", "black --check --config x src": "ask" },
  },
  {
    command: "ruff | flake8 | pylint | autopep8 | bandit",
    risk: "local-write",
    operands: "text*",
    flags: "*",
    when: {
      "--fix --fix-only --unsafe-fixes --add-noqa -i --in-place -r --recursive": { operands: "may-write*" },
    },
    recursive: "always",
    also: { writes: "." },
    examples: { "flake8 src": "ask local-write write:." },
  },
  {
    command: "mypy | pyright | pyre",
    risk: "local-write",
    operands: "reads*",
    flags: "*",
    options: { "--python-executable= --config-file= --custom-typeshed-dir=": "unknown" },
    also: { runs: "the project's settings and plugins", writes: "." },
    examples: { "mypy src": "ask local-write read:src execute:the project's settings and plugins write:." },
  },
  {
    command: "jupyter | ipython | gunicorn | uvicorn | flask | django-admin | celery | streamlit",
    risk: "remote-write",
    operands: "runs*",
    flags: "*",
    isRunner: true,
    examples: { "uvicorn app:app": "ask remote-write execute:app:app" },
  },
];

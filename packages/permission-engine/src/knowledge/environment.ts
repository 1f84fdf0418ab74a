const families =
  /^(?:LD_|DYLD_|GIT_|SUDO_|PYTHON|PERL5|RUBY|CARGO_|RUST(?:C|FLAGS|UP)|NPM_CONFIG_|YARN_|PNPM_|XDG_|KUMIKO_|AWS_|SSL_|BASH_|COMP_|READLINE_|GO(?:FLAGS|ROOT|PATH|PROXY|ENV|TOOLCHAIN|NOSUMDB|INSECURE|PRIVATE)|DOCKER_|JAVA_|JDK_|_JAVA)/;
const endings =
  /(?:_ASKPASS|_PROXY|_PAGER|_EDITOR|_COMMAND|_OPTIONS|_OPTS|_WRAPPER|_PRELOAD|_PATH|_RSH|_SSH|_CMD|_SHELL|_PROGRAM|_LAUNCHER|_RUNNER|_HOOK|_BROWSER|_PASSCOMMAND|_PROG)$/;
const names: ReadonlySet<string> = new Set(
  (
    "PATH IFS HOME SHELL ENV BASH_ENV BASH_ARGV0 BASHOPTS SHELLOPTS PS0 PS1 PS2 PS4 CDPATH GLOBIGNORE HOSTFILE EXECIGNORE " +
    "FIGNORE HISTFILE INPUTRC OPTERR POSIXLY_CORRECT TMPDIR TERMINFO EDITOR VISUAL FCEDIT PAGER MANPAGER BROWSER LESS " +
    "LESSOPEN LESSCLOSE MORE VIMINIT EXINIT MYVIMRC CLASSPATH CC CXX CPP LD AR AS NM MAKE MAKEFLAGS MFLAGS MAKEFILES " +
    "PERLLIB PERLDB RUSTDOC CMAKE_TOOLCHAIN_FILE PYTEST_ADDOPTS MAVEN_ARGS DOTNET_STARTUP_HOOKS LUA_INIT R_PROFILE " +
    "R_PROFILE_USER ERL_FLAGS PHPRC SWIFT_EXEC OPENSSL_ENGINES OPENSSL_MODULES GROFF_COMMAND_PREFIX VIMRUNTIME EMACSLOADPATH TS_NODE_COMPILER " +
    "NODE_REPL_EXTERNAL_MODULE COVERAGE_PROCESS_START TF_CLI_CONFIG_FILE PIP_CONFIG_FILE UV_PYTHON ACKRC HGEDITOR HGMERGE HGRCPATH MANOPT ZIPOPT CURL_HOME WGETRC OPENSSL_CONF KUBECONFIG ZDOTDIR PROMPT_COMMAND USER LOGNAME UID EUID"
  ).split(" "),
);
const harmlessExceptions: ReadonlySet<string> = new Set(["PYTHONUNBUFFERED", "PYTHONDONTWRITEBYTECODE"]);

/** Whether a variable can change which program runs or what a program does: never set without asking. */
export const changesWhatRuns = (name: string): boolean => {
  const upper = name.toUpperCase();
  if (harmlessExceptions.has(upper)) return false;
  // In lower case these names are ordinary shell variables; proxies and npm's settings are read in any case.
  return (names.has(upper) && name !== name.toLowerCase()) || families.test(upper) || endings.test(upper);
};

const harmless =
  /^(?:LANG|LANGUAGE|LC_[A-Z]+|TZ|NO_COLOR|FORCE_COLOR|CLICOLOR(?:_FORCE)?|COLUMNS|LINES|CI|DEBUG|VERBOSE|NODE_ENV|LOG_LEVEL|RUST_BACKTRACE|RUST_LOG|GOOS|GOARCH|CGO_ENABLED)$/;

/**
 * Whether setting a variable needs no rule of its own: it is on the list of harmless ones, or a shell variable by its
 * spelling (lower case: programs read upper-case names).
 */
export const isHarmlessVariable = (name: string): boolean =>
  !changesWhatRuns(name) && (harmless.test(name) || harmlessExceptions.has(name) || /^[a-z_][a-z0-9_]*$/.test(name));

/** Settings of Git whose value is run, by their name in lower case. */
export const runningSettings: RegExp =
  /^(?:alias\..+|core\.(?:pager|editor|sshcommand|fsmonitor|askpass|gitproxy|alternaterefscommand)|pager\..+|sequence\.editor|diff\.external|diff\..+\.(?:command|textconv)|(?:diff|merge)tool\..+\.(?:cmd|path)|guitool\..+\.cmd|merge\..+\.driver|filter\..+\.(?:clean|smudge|process)|credential\.(?:.+\.)?helper|gpg\.(?:.+\.)?(?:program|defaultkeycommand)|uploadpack\.packobjectshook|remote\..+\.(?:uploadpack|receivepack|vcs|proxy)|interactive\.difffilter|trailer\..+\.(?:cmd|command)|submodule\..+\.update|sendemail\..*(?:cmd|smtpserver)|browser\..+\.(?:cmd|path)|man\..+\.(?:cmd|path)|imap\.tunnel|hook\..+\.command|receive\.procreceiverefs)$/;

/** Settings that say where what is run is found, or where more settings are. */
export const leadingSettings: RegExp =
  /^(?:core\.(?:hookspath|worktree|attributesfile)|include\.path|includeif\..+|init\.templatedir|protocol\..+|url\..+|remote\..+\.(?:url|pushurl)|safe\..+|help\.autocorrect|submodule\..+\.url|extensions\..+)$/;

/** Values that run nothing of note. */
export const harmlessValues: RegExp =
  /^(?:|cat|less|true|false|more|:|never|auto|always|rebase|merge|checkout|none|0|1)$/;

/** Variables that tell nothing anybody would hide. */
const HARMLESS = new Set(
  'HOME PATH PWD OLDPWD USER LOGNAME SHELL LANG LANGUAGE TERM HOSTNAME RANDOM SECONDS LINENO PPID UID EUID BASH_VERSION'
    .concat(
      ' BASHPID OSTYPE HOSTTYPE MACHTYPE SHLVL COLUMNS LINES TMPDIR EDITOR VISUAL PAGER NODE_ENV CI DISPLAY TZ',
    )
    .concat(' EPOCHSECONDS PIPESTATUS IFS GOPATH GOROOT JAVA_HOME VIRTUAL_ENV')
    .split(' '),
);

/** Whether a variable may be shown without anybody being asked. */
export function isHarmlessVariable(name: string): boolean {
  return HARMLESS.has(name) || /^(?:\d+|[-@*#?$!]|LC_[A-Z]+|XDG_[A-Z_]+)$/.test(name);
}

/** Whether a variable's name says that it holds a secret; a rule for a program does not cover that. */
export function soundsSecret(name: string): boolean {
  return (
    !isHarmlessVariable(name) &&
    /key|token|secret|pass|pwd|cred|auth|cookie|private|session|jwt|bearer|cert|salt|sign|dsn|webhook|_pat$|_ur[il]$/i.test(
      name,
    )
  );
}

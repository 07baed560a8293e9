/**
 * Arguments with which bash runs a command and notes in `cwdFile` the folder in which it ends, also when it calls
 * `exit`. A command that replaces the shell, or its exit trap, leaves no note: the folder stays what it was.
 */
export function argsNotingCwd(command: string, cwdFile: string): string[] {
  const note = `{ pwd -P >| ${quote(cwdFile)}; } 2>/dev/null`;
  // As an argument, so that errors name the command's own lines; but it must not see any arguments.
  return ['-c', `trap ${quote(note)} EXIT; eval "set --; $1"`, 'bash', command];
}

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

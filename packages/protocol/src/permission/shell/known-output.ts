import type { CommandExpansionPart, SyntaxNode } from 'unbash';

/** Programs whose output holds no `*`, `?` or `[` and no folder of which somebody else chose the name. */
const PLAIN_OUTPUT = new Set('arch basename date hostname id nproc tty uname wc whoami'.split(' '));

/** What nothing is made of that bash would take for more than a word. */
const PLAIN_WORD = /^[\w./:@%+,-]+$/;

/** Git's subcommands that print names and numbers of commits; a format would print what somebody wrote in one. */
const PLAIN_GIT_OUTPUT: Readonly<Record<string, RegExp>> = {
  branch: /^--show-current$/,
  describe: /^(?:--(?:all|tags|always|long|exact-match|dirty|abbrev=\d+)|\w.*)$/,
  'rev-list': /^(?:--(?:count|all|no-merges|merges)|\w.*)$/,
  // Not those that print a folder.
  'rev-parse': /^(?:--(?:abbrev-ref|short|verify|quiet|short=\d+)|-q|\w.*|@.*)$/,
};

/** Whether what a substitution prints cannot be a pattern of files: `$(date)`, `$(ls | wc -l)`. */
export function printsNoPattern({ script }: CommandExpansionPart): boolean {
  const words = wordsOfLast(script?.commands);
  const [program, subcommand = '', ...rest] = words ?? [];
  if (program === undefined) return false;
  if (program !== 'git') return PLAIN_OUTPUT.has(program);
  const known = Object.hasOwn(PLAIN_GIT_OUTPUT, subcommand) ? PLAIN_GIT_OUTPUT[subcommand] : undefined;
  const counts = subcommand !== 'rev-list' || rest.includes('--count');
  return known !== undefined && counts && rest.every((word) => known.test(word));
}

/** Lines that print a number and nothing else; `wc` where it is fed, or it would print a name as well. */
const NUMBERS = /^(?:wc -[clmLw]|date \+%[sYmdHMSj]|nproc|id -[ug]|git rev-list --count [\w./@~^-]+)$/;

/** Whether what is printed can only be a number: arithmetic evaluates it. */
export function printsNumber(commands: readonly SyntaxNode[] | undefined): boolean {
  return NUMBERS.test(wordsOfLast(commands)?.join(' ') ?? '');
}

/** The words of the last command of a pipe, all of them plain; its complaints are not printed. */
function wordsOfLast(commands: readonly SyntaxNode[] | undefined): readonly string[] | undefined {
  const [statement, ...others] = commands ?? [];
  if (statement?.type !== 'Statement' || others.length > 0) return undefined;
  const last = lastOf(statement.command);
  if (last?.type !== 'Command' || last.prefix.length > 0) return undefined;
  const isQuiet = last.redirects.every(
    (redirect) =>
      redirect.type === 'Redirect' && (redirect.operator === '<' || redirect.target?.text === '/dev/null'),
  );
  const words = [last.name, ...last.args].map((word) => (word?.type === 'Word' ? word.text : ''));
  return isQuiet && words.every((word) => PLAIN_WORD.test(word)) ? words : undefined;
}

function lastOf(node: SyntaxNode): SyntaxNode | undefined {
  return node.type === 'Pipeline' ? node.commands.at(-1) : node;
}

/** Longer programs are not looked at. */
const MAX_PROGRAM_LENGTH = 2_000;

/** Words that run a program, reach another file or show the environment; `@` calls a function by the name in a variable. */
const REACHES_OUT =
  /\b(?:system|getline|close|fflush|ENVIRON|PROCINFO|SYMTAB|FUNCTAB|ARGV|ARGC|ARGIND|function|func)\b|[@`]/;

/** Whether a program of awk only prints to its output. */
export function onlyPrintsAwk(program: string): boolean {
  if (program.length > MAX_PROGRAM_LENGTH) return false;
  const code = withoutTexts(program);
  if (REACHES_OUT.test(code ?? program)) return false;
  const operators = (code ?? program).replaceAll('||', '').replaceAll('>=', '');
  if (operators.includes('|')) return false;
  if (!operators.includes('>') || !/print/.test(operators)) return true;
  return code !== undefined && onlyCompares(operators);
}

const TOKENS = /\s+|#[^\n]*|"(?:[^"\\\n]|\\.)*"|[A-Za-z_]\w*|\d[\w.]*|\+\+|--|./gsy;

/** Words after which a slash begins a pattern. */
const BEFORE_PATTERN = new Set(['print', 'printf', 'return', 'in', 'else', 'do', 'exit', 'case']);

/** What a slash means after a token: it divides a value and begins a pattern after an operator; sometimes only the grammar knows. */
type Before = 'value' | 'operator' | 'unknown';

/** A program without its comments, and with its strings and patterns empty; undefined where these cannot be told for certain. */
function withoutTexts(program: string): string | undefined {
  let code = '';
  let before: Before = 'operator';
  TOKENS.lastIndex = 0;
  while (TOKENS.lastIndex < program.length) {
    const start = TOKENS.lastIndex;
    const [token = ''] = TOKENS.exec(program) ?? [];
    if (token === '' || token === '\\' || token === '"') return undefined;
    if (token === '/' && before !== 'value') {
      const pattern = /^\/(?:[^/\\\n]|\\.)*\//.exec(program.slice(start))?.[0];
      // Versions of awk disagree on a slash in brackets.
      if (before === 'unknown' || pattern === undefined || /\[[^\]]*$/.test(pattern.slice(0, -1)))
        return undefined;
      TOKENS.lastIndex = start + pattern.length;
      code += '//';
      before = 'value';
      continue;
    }
    code += token.startsWith('"') ? '""' : token.startsWith('#') ? '' : token;
    before = meaningAfter(token, before);
  }
  return code;
}

function meaningAfter(token: string, before: Before): Before {
  if (/^[\s#]/.test(token)) return token.includes('\n') ? 'operator' : before;
  if (/^(?:\)|\+\+|--)$/.test(token)) return 'unknown';
  if (/^["\]\w]/.test(token)) return BEFORE_PATTERN.has(token) ? 'operator' : 'value';
  return 'operator';
}

/**
 * Whether each `>` compares: in parentheses, or in the condition of a rule. Elsewhere it may write to a file, and so it
 * may in `for (print > "file"; ;)`.
 */
function onlyCompares(code: string): boolean {
  let braces = 0;
  let parentheses = 0;
  for (const [token] of code.matchAll(/\w+|\W/g)) {
    if (parentheses > 0 && /^printf?$/.test(token)) return false;
    if (token === '{') braces++;
    else if (token === '}') braces--;
    else if (token === '(') parentheses++;
    else if (token === ')') parentheses--;
    else if (token === '>' && braces > 0 && parentheses === 0) return false;
    if (braces < 0 || parentheses < 0) return false;
  }
  return true;
}

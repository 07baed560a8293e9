const MASK = '…';

/** An option whose value is nobody's business. */
const SECRET_NAME = /token|secret|passw|credential|auth|api-?key|header|cookie/i;

/** A short word that cannot be a sentence, JSON or a credential. */
const HARMLESS = /^[\w./,:@+-]{1,100}$/;

/** What issued keys begin with, a URL with a password, and any long run of mixed letters and digits. */
const KEY_LIKE =
  /^(sk|pk|gh[opsu]|xox\w|glpat|npm|AKIA|eyJ)[-_\w]{8}|:\/\/[^/]*@|(?=[^/.-]*\d)(?=[^/.-]*[a-z])[\w+]{32,}/i;

/** A command line that may be shown and kept: what could be a secret is masked, and in doubt it could be. */
export function maskCommand([program = '', ...args]: readonly string[]): string[] {
  return [program, ...args.map((word, at) => maskWord(word, args[at - 1] ?? ''))];
}

function maskWord(word: string, before: string): string {
  const [, name = '', value] = /^(--?[\w-]+=)?([^]*)$/.exec(word) ?? [];
  if (name === '' && /^--?[\w-]+$/.test(word)) return word;
  const option = name || (before.startsWith('-') ? before : '');
  const isHarmless = value === '' || (HARMLESS.test(value ?? '') && !KEY_LIKE.test(value ?? ''));
  return isHarmless && !SECRET_NAME.test(option) ? word : `${name}${MASK}`;
}

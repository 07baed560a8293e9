import type { HereString, ParameterExpansionPart, Redirect, SyntaxNode } from 'unbash';

/** The longest command line that is analysed. */
export const MAX_COMMAND_LENGTH = 10_000;

/** How deep a syntax tree may be: near its own limit the parser leaves out what is deeper, without an error. */
export const MAX_NESTING = 200;

const TWO_WAYS = 'has parentheses that can be read in two ways';

/** Why a line cannot be taken apart at all. */
export function problemOfText(text: string): string | undefined {
  if (text.length > MAX_COMMAND_LENGTH) return `is longer than ${MAX_COMMAND_LENGTH} characters`;
  if (/^[\t\n -~]*$/.test(text)) return undefined;
  // Shells and locales disagree on whether these characters separate words.
  const isVisible = !/[\p{Cc}\p{Cs}\p{Z}\uFEFF]/u.test(text.replace(/[ \t\n]/g, ''));
  return isVisible ? undefined : 'contains an invisible character';
}

/**
 * Why what the parser made of a piece of syntax cannot be relied on: it is an error, or one of the places where running
 * random lines in bash showed that bash reads on where the parser stops.
 */
export function problemOfNode(node: SyntaxNode, source: string): string | undefined {
  switch (node.type) {
    case 'Script':
      return node.errors?.[0] && `has a syntax error: ${node.errors[0].message}`;
    case 'Command':
      return unless(areWords([...node.prefix, ...node.suffix, node.name ?? node], source), 'a word');
    case 'Redirect':
    case 'HereString':
      return unless(isRedirect(node, source), 'a redirection');
    // Bash tries `((` as arithmetic first, and then loses sight of the here-documents in it.
    case 'Subshell':
      return source.startsWith('((', node.pos) ? TWO_WAYS : undefined;
    case 'CommandExpansion':
    case 'ProcessSubstitution':
    case 'ArithmeticCommandExpansion':
      if (node.text.startsWith('$((')) return TWO_WAYS;
      return unless(node.script !== undefined && isSubstitution(node.text), 'a substitution');
    case 'ArithmeticExpansion':
      return unless(node.expression !== undefined && isArithmetic(node.text), 'arithmetic');
    case 'ArithmeticCommand':
      return unless(node.expression !== undefined && isArithmetic(node.body), 'arithmetic');
    case 'ArithmeticFor':
      return unless(isArithmetic(source.slice(node.pos, node.body.pos)), 'arithmetic');
    case 'ParameterExpansion':
      return unless(isExpansion(node), 'an expansion');
    // The parser takes a slash inside a substitution for the one that ends the pattern.
    case 'Replace':
      return unless(!/[$`]/.test(node.pattern.text + node.replacement.text), 'a replacement');
    case 'Unknown':
      return unless(false, 'an expansion');
    default:
      return undefined;
  }
}

function unless(readable: boolean, what: string): string | undefined {
  return readable ? undefined : `has ${what} that cannot be read`;
}

/** In `<<< <(a)git rm x` bash runs `rm`: where the parser ends a word too early, it takes the rest for the next one. */
function areWords(parts: readonly { readonly end: number }[], source: string): boolean {
  return parts.every(({ end }) => /^(?:$|[\s;&|()`]|[<>](?!\())/.test(source.slice(end, end + 2)));
}

/** In `2>&-rm x` bash runs `rm`: the word ends after the dash. */
function isRedirect(redirect: Redirect | HereString, source: string): boolean {
  const { operator, target } = redirect;
  return areWords([redirect], source) && !(operator.endsWith('&') && /^-./s.test(target?.text ?? ''));
}

/** What a backslash does between backquotes depends on the quotes around them. */
function isSubstitution(text: string): boolean {
  return /[)}`]$/.test(text) && !/^`.*\\/s.test(text);
}

/** In `"${x:-$'$(rm)'}"` and `"${x:?<(rm)}"` bash runs `rm`: double quotes around an expansion change what is in it. */
function isExpansion({ parameter, text }: ParameterExpansionPart): boolean {
  if (/[<>]\(/.test(text) || (text.includes("'") && /[$`]/.test(text.slice(2)))) return false;
  return /^(?:\w+|[-@*#?$!])$/.test(parameter);
}

/** In `$(( '$(rm)' ))` bash runs `rm`: quotes do not protect in arithmetic. */
function isArithmetic(text: string): boolean {
  return !/['"\\]/.test(text);
}

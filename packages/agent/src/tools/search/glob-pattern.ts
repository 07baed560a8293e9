import { ToolFailure } from '../../base/tool-failure.ts';

/** More alternatives than this are not written by anyone who means well. */
const MAX_ALTERNATIVES = 1000;

/**
 * A glob as a regular expression for paths with `/`: `*` and `?` stay inside of a name, `**` crosses folders,
 * `[a-z]` and `[!a]` are sets, `{a,b}` are alternatives. Names that begin with a dot are like any other.
 */
export function globToRegExp(glob: string): RegExp {
  const sources = expandBraces(glob).map(sourceOf);
  return new RegExp(`^(?:${sources.join('|')})$`, 's');
}

/** `a{b,c}` is `ab` or `ac`; braces nest. */
export function expandBraces(glob: string): string[] {
  const open = glob.indexOf('{');
  const parts = open < 0 ? undefined : alternatives(glob, open);
  if (!parts) return [glob];
  const before = glob.slice(0, open);
  const expanded = parts.options.flatMap((option) => expandBraces(before + option + parts.rest));
  if (expanded.length > MAX_ALTERNATIVES) {
    throw new ToolFailure(`The pattern has more than ${MAX_ALTERNATIVES} alternatives.`);
  }
  return expanded;
}

function alternatives(glob: string, open: number): { options: string[]; rest: string } | undefined {
  const options: string[] = [];
  let depth = 0;
  let start = open + 1;
  for (let at = open; at < glob.length; at += 1) {
    const letter = glob[at];
    if (letter === '\\') at += 1;
    else if (letter === '{') depth += 1;
    else if (letter === ',' && depth === 1) {
      options.push(glob.slice(start, at));
      start = at + 1;
    } else if (letter === '}') {
      depth -= 1;
      if (depth === 0) return { options: [...options, glob.slice(start, at)], rest: glob.slice(at + 1) };
    }
  }
  return undefined;
}

const TOKEN = /\*\*\/(?:\*\*\/)*|\/\*\*$|^\*\*$|\*+|\?|\[[!^]?\]?[^\]]*\]|\\.|[^*?[\\/]+|./gs;

function sourceOf(glob: string): string {
  return glob.replaceAll(TOKEN, (token, at: number) => {
    if (token.startsWith('**/') && (at === 0 || glob[at - 1] === '/')) return '(?:.*/)?';
    if (token === '/**') return '/.+';
    if (token === '**' && glob === '**') return '.*';
    if (token.startsWith('*')) return token.endsWith('/') ? '[^/]*/' : '[^/]*';
    if (token === '?') return '[^/]';
    if (token.startsWith('[') && token.length > 1) return setOf(token);
    return escape(token.startsWith('\\') ? token.slice(1) : token);
  });
}

function setOf(token: string): string {
  const isNegated = token[1] === '!' || token[1] === '^';
  const members = token.slice(isNegated ? 2 : 1, -1).replaceAll(/[\\\]^[]/g, '\\$&');
  return `(?!/)[${isNegated ? '^' : ''}${members}]`;
}

function escape(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

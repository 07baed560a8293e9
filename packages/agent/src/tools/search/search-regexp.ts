import { messageOf } from '@signalbox/protocol';
import { ToolFailure } from '../../base/tool-failure.ts';

const POSIX_CLASSES: Readonly<Record<string, string>> = {
  alpha: 'a-zA-Z',
  digit: '0-9',
  alnum: 'a-zA-Z0-9',
  upper: 'A-Z',
  lower: 'a-z',
  space: '\\s',
  punct: '!-\\/:-@\\[-`{-~',
  xdigit: '0-9a-fA-F',
  word: '\\w',
};

/** A pattern in the dialect of ripgrep as a regular expression of our own. Throws, in words for the model, when it is none. */
export function searchRegExp(
  pattern: string,
  { ignoresCase, isMultiline }: { ignoresCase: boolean; isMultiline: boolean },
): RegExp {
  const [, inline = '', rest = ''] = /^(?:\(\?([ims]+)\))?(.*)$/s.exec(pattern) ?? [];
  const source = rest
    .replaceAll('(?P<', '(?<')
    .replaceAll(/\[:(\w+):\]/g, (whole, name: string) => POSIX_CLASSES[name] ?? whole);
  const flags = new Set([
    'g',
    'm',
    ...Array.from(inline),
    ...(ignoresCase ? ['i'] : []),
    ...(isMultiline ? ['s'] : []),
  ]);
  const wanted = [...flags].join('');
  try {
    return new RegExp(source, `${wanted}u`);
  } catch {
    // Escapes that the strict syntax refuses, such as `\-`, are common.
  }
  try {
    return new RegExp(source, wanted);
  } catch (error) {
    throw new ToolFailure(
      `Invalid regular expression: ${messageOf(error)}. Escape ( ) [ ] { } to find them.`,
      error,
    );
  }
}

/** Whether a pattern looks at what surrounds a match: in a single line it can then find what it does not in the whole text. */
export function looksAround(pattern: string): boolean {
  return /\(\?<?[=!]/.test(pattern);
}

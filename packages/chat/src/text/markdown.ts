import { markdownTokens } from '@signalbox/protocol/markdown';
import type { MarkedToken, Token, Tokens } from 'marked';
import { cleanText } from './clean-text.ts';
import { colored, dim, type Line, plain, restyle } from './line.ts';
import { inlineLines, isMarkedToken } from './markdown-inline.ts';
import { tableLines } from './markdown-table.ts';
import { hang, wrapLine } from './wrap-line.ts';

const RULE_COLUMNS = 24;

/** Markdown as rows of a terminal that is `width` columns wide. */
export function markdownLines(text: string, width: number): Line[] {
  const lines = blockLines(markdownTokens(cleanText(text)), Math.max(width, 1));
  // Deep nesting can leave no room at all.
  return lines.flatMap((line) => wrapLine(line, Math.max(width, 1)));
}

/**
 * How much of a text that is still being written will not change any more: all but its last block. What is
 * before it can be drawn for good, so that a long reply costs no more than its last block.
 */
export function settledLength(text: string): number {
  const blocks = markdownTokens(text);
  const last = blocks.findLastIndex(({ type }) => type !== 'space');
  const settled = blocks.slice(0, Math.max(last, 0)).map(({ raw }) => raw);
  const prefix = settled.join('');
  // Marked may have read what was not written so: then nothing is certain.
  return text.startsWith(prefix) ? prefix.length : 0;
}

function blockLines(tokens: readonly Token[], width: number, isTight = false): Line[] {
  const blocks = tokens
    .filter(isMarkedToken)
    .map((token) => linesOf(token, width))
    .filter((lines) => lines.length > 0);
  return blocks.flatMap((lines, index) => (index > 0 && !isTight ? [[], ...lines] : lines));
}

function linesOf(token: MarkedToken, width: number): Line[] {
  switch (token.type) {
    case 'space':
    case 'def':
    case 'checkbox':
      return [];
    case 'heading':
      return wrapped(
        inlineLines(token.tokens, { bold: true, ...(token.depth === 1 ? { underline: true } : {}) }),
        width,
      );
    case 'paragraph':
      return wrapped(inlineLines(token.tokens), width);
    case 'text':
      return wrapped(inlineLines(token.tokens ?? [token]), width);
    case 'code':
      return token.text
        .split('\n')
        .flatMap((line) => indented(wrapLine([colored(line, 'cyan')], width - 2), plain('  ')));
    case 'blockquote':
      return indented(
        blockLines(token.tokens, width - 2).map((line) => restyle(line, { italic: true })),
        dim('▎ '),
      );
    case 'list':
      return listLines(token, width);
    case 'table':
      return tableLines(token, width);
    case 'hr':
      return [[dim('─'.repeat(Math.min(width, RULE_COLUMNS)))]];
    default:
      return wrapped(
        token.raw
          .trimEnd()
          .split('\n')
          .map((line) => [plain(line)]),
        width,
      );
  }
}

function listLines(list: Tokens.List, width: number): Line[] {
  const start = Number(list.start) || 1;
  return list.items.flatMap((item, index) => {
    const mark = item.task ? (item.checked ? '☑ ' : '☐ ') : list.ordered ? `${start + index}. ` : '• ';
    const rows = blockLines(item.tokens, width - mark.length, !item.loose);
    const lines = hang([dim(mark)], rows.length > 0 ? rows : [[]]);
    return list.loose && index > 0 ? [[], ...lines] : lines;
  });
}

function wrapped(lines: readonly Line[], width: number): Line[] {
  return lines.flatMap((line) => wrapLine(line, Math.max(width, 1)));
}

function indented(lines: readonly Line[], lead: Line[number]): Line[] {
  return lines.map((line) => [lead, ...line]);
}

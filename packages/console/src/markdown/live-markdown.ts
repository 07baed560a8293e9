import { markdownTokens } from '@signalbox/protocol/markdown';
import type { Token } from 'marked';
import remend from 'remend';

/**
 * Markdown that is being written. Blocks that are over are read once; the last one is read again with each piece, as if it
 * ended where it does now: half of a mark is no mark that the reader should see.
 */
export class LiveMarkdown {
  #text = '';
  #closed: Token[] = [];
  #closedLength = 0;

  tokens(text: string): Token[] {
    if (!text.startsWith(this.#text)) this.#forget();
    this.#text = text;
    const rest = text.slice(this.#closedLength);
    const tokens = markdownTokens(rest);
    // A list may go on after an empty line.
    const last = tokens.findLastIndex(({ type }) => type !== 'space');
    const closed = tokens.slice(0, Math.max(0, last));
    const length = closed.reduce((sum, { raw }) => sum + raw.length, 0);
    // A parser that changes what it reads (tabs, line ends) cannot say where its blocks end.
    const isExact = rest.startsWith(closed.map(({ raw }) => raw).join(''));
    if (isExact) {
      this.#closed = [...this.#closed, ...closed];
      this.#closedLength += length;
    }
    const open = text.slice(this.#closedLength);
    return [...this.#closed, ...markdownTokens(completed(open))];
  }

  #forget(): void {
    this.#closed = [];
    this.#closedLength = 0;
  }
}

/** The same text with its open marks closed. */
export function completed(text: string): string {
  return remend(text, { linkMode: 'text-only', katex: false, inlineKatex: false, htmlTags: false });
}

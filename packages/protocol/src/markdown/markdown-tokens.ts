import { Lexer, type Token, type TokensList } from 'marked';

/** A longer text is shown as it is: the parser takes the square of some lists and quotations. */
export const MAX_MARKDOWN_LENGTH = 100_000;

/** How deep quotations, lists and emphasis are read: Markdown that people write has a few levels. */
const MAX_LEVELS = 24;

/** What one paragraph, item or cell may have. The parser takes the square of each, or of their product. */
const MAX_INLINE_LENGTH = 20_000;
const MAX_MARKS = 400;
const MAX_WORD_LENGTH = 2000;

const MARKS = /[*_~]/g;
const LONG_WORD = new RegExp(`\\S{${MAX_WORD_LENGTH}}`);

/**
 * Markdown as tokens. An agent may write what the parser would need minutes for, or overflow the stack with: such a part
 * becomes plain text.
 */
export function markdownTokens(text: string): TokensList {
  return new CarefulLexer().lex(text);
}

class CarefulLexer extends Lexer {
  #blockLevel = 0;
  #inlineLevel = 0;

  override lex(text: string): TokensList {
    if (text.length <= MAX_MARKDOWN_LENGTH) return super.lex(text);
    this.tokens.push(paragraph(text));
    return this.tokens;
  }

  override blockTokens(source: string, tokens?: Token[], isLastParagraphClipped?: boolean): Token[];
  override blockTokens(source: string, tokens?: TokensList, isLastParagraphClipped?: boolean): TokensList;
  override blockTokens(source: string, tokens: Token[] = [], isLastParagraphClipped?: boolean): Token[] {
    if (this.#blockLevel >= MAX_LEVELS) {
      tokens.push(paragraph(source));
      return tokens;
    }
    this.#blockLevel += 1;
    try {
      return super.blockTokens(source, tokens, isLastParagraphClipped);
    } finally {
      this.#blockLevel -= 1;
    }
  }

  override inlineTokens(source: string, tokens: Token[] = []): Token[] {
    if (this.#inlineLevel >= MAX_LEVELS || isCostly(source)) {
      tokens.push(plain(source));
      return tokens;
    }
    this.#inlineLevel += 1;
    try {
      return super.inlineTokens(source, tokens);
    } finally {
      this.#inlineLevel -= 1;
    }
  }
}

function isCostly(source: string): boolean {
  if (source.length > MAX_INLINE_LENGTH) return true;
  return (source.match(MARKS)?.length ?? 0) > MAX_MARKS || LONG_WORD.test(source);
}

function paragraph(text: string): Token {
  return { type: 'paragraph', raw: text, text, tokens: [plain(text)] };
}

function plain(text: string): Token {
  return { type: 'text', raw: text, text, escaped: false };
}

import type { MarkedToken, Token } from 'marked';
import type { Line, Span, Style } from './line.ts';

const ENTITIES: Record<string, string> = { lt: '<', gt: '>', amp: '&', quot: '"', '#39': "'", nbsp: ' ' };

/** No extension adds tokens of its own, so each is one that marked declares. */
export function isMarkedToken(token: Token): token is MarkedToken {
  return typeof token.type === 'string';
}

/** Inline Markdown as lines. A line break of the author stays one: models write what they mean to be seen. */
export function inlineLines(tokens: readonly Token[], style: Style = {}): Line[] {
  const lines: Span[][] = [[]];
  for (const span of tokens.filter(isMarkedToken).flatMap((token) => spansOf(token, style))) {
    const [first = '', ...rest] = span.text.split('\n');
    lines.at(-1)?.push({ ...span, text: first });
    for (const text of rest) lines.push([{ ...span, text }]);
  }
  return lines;
}

function spansOf(token: MarkedToken, style: Style): Span[] {
  const within = (tokens: readonly Token[], more: Style): Span[] =>
    tokens.filter(isMarkedToken).flatMap((inner) => spansOf(inner, { ...style, ...more }));
  switch (token.type) {
    case 'strong':
      return within(token.tokens, { bold: true });
    case 'em':
      return within(token.tokens, { italic: true });
    case 'del':
      return within(token.tokens, { strike: true });
    case 'codespan':
      return [{ ...style, color: 'cyan', text: token.text }];
    case 'br':
      return [{ ...style, text: '\n' }];
    case 'image':
      return [{ ...style, dim: true, text: `[image: ${token.text || token.href}]` }];
    case 'link': {
      const label = within(token.tokens, { underline: true, color: 'blue' });
      const isSpelled = label.map(({ text }) => text).join('') === token.href.replace(/^mailto:/, '');
      return isSpelled ? label : [...label, { ...style, dim: true, text: ` (${token.href})` }];
    }
    case 'text':
      return token.tokens ? within(token.tokens, {}) : [{ ...style, text: withoutEntities(token.text) }];
    case 'escape':
      return [{ ...style, text: token.text }];
    default:
      return [{ ...style, text: token.raw }];
  }
}

function withoutEntities(text: string): string {
  return text.replace(/&(lt|gt|amp|quot|#39|nbsp);/g, (whole, name: string) => ENTITIES[name] ?? whole);
}

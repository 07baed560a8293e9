import { MAX_MARKDOWN_LENGTH, markdownTokens } from '@signalbox/protocol/markdown';
import type { MarkedToken, Token } from 'marked';
import { memo, type ReactNode, useState } from 'react';
import { languageOf } from '../highlight/language-names.ts';
import { ScrollBox } from '../parts/scroll-box.tsx';
import { t } from '../words/t.ts';
import { CodeBlock } from './code-block.tsx';
import { LiveMarkdown } from './live-markdown.ts';
import { LongText } from './long-text.tsx';

/** A reply's headings are below the page's own. */
const HEADINGS = ['h2', 'h3', 'h4', 'h5', 'h6'] as const;

type HeadingName = (typeof HEADINGS)[number] | 'p';

/** Markdown as elements. Nothing in it is taken for HTML, and nothing is loaded. */
export const Markdown = memo(function Markdown({ text, isLive = false }: { text: string; isLive?: boolean }) {
  if (text.length > MAX_MARKDOWN_LENGTH) return <LongText text={text} />;
  return isLive ? <GrowingBlocks text={text} /> : <Blocks tokens={markdownTokens(text)} />;
});

function GrowingBlocks({ text }: { text: string }) {
  const [live] = useState(() => new LiveMarkdown());
  return <Blocks tokens={live.tokens(text)} />;
}

function Blocks({ tokens }: { tokens: readonly Token[] }) {
  const headings = headingsOf(tokens);
  return (
    <div className="markdown">
      {tokens.map((token, index) => (
        <Block key={index} token={token} dir="auto" heading={headings.get(token)} />
      ))}
    </div>
  );
}

/** Agents begin at any depth and skip some; for those who hear the page, each is one below the one that it is under. */
function headingsOf(tokens: readonly Token[]): Map<Token, HeadingName | undefined> {
  const headings = new Map<Token, HeadingName | undefined>();
  const above: number[] = [];
  for (const token of tokens) {
    if (!isMarked(token) || token.type !== 'heading') continue;
    while ((above.at(-1) ?? 0) >= token.depth) above.pop();
    headings.set(token, HEADINGS[above.length]);
    above.push(token.depth);
  }
  return headings;
}

interface BlockProps {
  token: Token;
  /** On what is not inside of something else: it is read from the right when it begins so. */
  dir?: 'auto';
  /** One in a quotation or a list is none of the page's. */
  heading?: HeadingName | undefined;
}

/** While a text grows, its finished blocks stay as they are. */
const Block = memo(
  (props: BlockProps) => <>{drawn(props)}</>,
  (before, after) => before.token.raw === after.token.raw && before.token.type === after.token.type,
);

function drawn({ token, dir, heading: Heading = 'p' }: BlockProps): ReactNode {
  if (!isMarked(token)) return token.raw;
  switch (token.type) {
    case 'space':
    case 'def':
    case 'checkbox':
      return null;
    case 'heading':
      return (
        <Heading data-depth={token.depth} dir={dir}>
          {all(token.tokens)}
        </Heading>
      );
    case 'paragraph':
      return <p dir={dir}>{all(token.tokens)}</p>;
    case 'text':
      return token.tokens ? all(token.tokens) : token.text;
    case 'code':
      return <CodeBlock text={token.text} language={languageOf(token.lang)} />;
    case 'blockquote':
      return <blockquote dir={dir}>{all(token.tokens)}</blockquote>;
    case 'hr':
      return <hr />;
    case 'list': {
      const items = token.items.map((item, index) => (
        <li key={index} data-checked={item.task ? String(item.checked) : undefined}>
          {all(item.tokens)}
        </li>
      ));
      if (!token.ordered) return <ul dir={dir}>{items}</ul>;
      return (
        <ol dir={dir} start={Number(token.start) || 1}>
          {items}
        </ol>
      );
    }
    case 'table':
      return <Table token={token} />;
    case 'strong':
      return <strong>{all(token.tokens)}</strong>;
    case 'em':
      return <em>{all(token.tokens)}</em>;
    case 'del':
      return <del>{all(token.tokens)}</del>;
    case 'codespan':
      return <code>{token.text}</code>;
    case 'br':
      return <br />;
    case 'link':
      return <Link address={token.href}>{all(token.tokens)}</Link>;
    case 'image':
      return <Link address={token.href}>{token.text || token.href}</Link>;
    case 'escape':
      return token.text;
    default:
      return token.raw;
  }
}

function all(tokens: readonly Token[]): ReactNode {
  return tokens.map((token, index) => <Block key={index} token={token} />);
}

function Table({ token }: { token: Extract<MarkedToken, { type: 'table' }> }) {
  return (
    <ScrollBox className="table" label={t.parts.table}>
      <table dir="auto">
        <thead>
          <tr>
            {token.header.map((cell, index) => (
              <th key={index}>{all(cell.tokens)}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {token.rows.map((row, at) => (
            <tr key={at}>
              {row.map((cell, index) => (
                <td key={index}>{all(cell.tokens)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollBox>
  );
}

/** An agent may write any address; only those of pages and of mail become links. */
function Link({ address, children }: { address: string; children: ReactNode }) {
  if (!/^(https?:|mailto:)/i.test(address)) return <>{children}</>;
  return (
    <a href={address} target="_blank" rel="noopener noreferrer">
      {children}
    </a>
  );
}

function isMarked(token: Token): token is MarkedToken {
  return token.type !== 'html';
}

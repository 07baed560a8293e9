import { lexer, type MarkedToken, type Token } from 'marked';
import { memo, type ReactNode } from 'react';

/** A reply's headings are below those of the page. */
const HEADINGS = ['h3', 'h4', 'h5', 'h6'] as const;

/** Markdown as elements. Nothing in it is taken for HTML, and nothing is loaded. */
export const Markdown = memo(function Markdown({ text }: { text: string }) {
  return (
    <div className="markdown">
      {lexer(text).map((token, index) => (
        <Block key={index} token={token} />
      ))}
    </div>
  );
});

/** While a text grows, its finished blocks stay as they are. */
const Block = memo(
  ({ token }: { token: Token }) => <>{drawn(token)}</>,
  (before, after) => before.token.raw === after.token.raw && before.token.type === after.token.type,
);

function drawn(token: Token): ReactNode {
  if (!isMarked(token)) return token.raw;
  switch (token.type) {
    case 'space':
    case 'def':
    case 'checkbox':
      return null;
    case 'heading': {
      const Heading = HEADINGS[token.depth - 1] ?? 'h6';
      return <Heading>{all(token.tokens)}</Heading>;
    }
    case 'paragraph':
      return <p>{all(token.tokens)}</p>;
    case 'text':
      return token.tokens ? all(token.tokens) : token.text;
    case 'code':
      return <pre className="code">{token.text}</pre>;
    case 'blockquote':
      return <blockquote>{all(token.tokens)}</blockquote>;
    case 'hr':
      return <hr />;
    case 'list': {
      const items = token.items.map((item, index) => (
        <li key={index} data-checked={item.task ? String(item.checked) : undefined}>
          {all(item.tokens)}
        </li>
      ));
      return token.ordered ? <ol start={Number(token.start) || 1}>{items}</ol> : <ul>{items}</ul>;
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
    <div className="table">
      <table>
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
    </div>
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

import { memo, useEffect, useState } from 'react';
import type { CodeLines, CodeToken } from './highlight-message.ts';
import { highlight, highlightedBefore } from './highlighter.ts';
import { classOf } from './theme.ts';

/** Code in colours, as soon as they are known; while it grows, its first lines keep theirs. */
export function HighlightedCode({ code, grammar }: { code: string; grammar: string }) {
  const lines = useHighlighted(code, grammar);
  if (!lines) return <>{code}</>;
  const texts = code.split('\n');
  return (
    <>
      {texts.map((text, at) => (
        <CodeLine
          key={at}
          text={at < texts.length - 1 ? `${text}\n` : text}
          tokens={isLine(lines[at], text) ? lines[at] : undefined}
        />
      ))}
    </>
  );
}

/** One line in its colours, where they are known. */
export const CodeLine = memo(
  ({ text, tokens }: { text: string; tokens: readonly CodeToken[] | undefined }) => {
    if (!tokens) return <>{text}</>;
    return (
      <>
        {tokens.map(([piece, color], at) => {
          const name = classOf(color);
          return name === '' ? (
            piece
          ) : (
            <span key={at} className={`code-${name}`}>
              {piece}
            </span>
          );
        })}
        {text.endsWith('\n') ? '\n' : ''}
      </>
    );
  },
);

/** The colours of some code. One request at a time: code that grows with every frame is asked about again when the last answer is there. */
export function useHighlighted(code: string, grammar: string): CodeLines | undefined {
  const [lines, setLines] = useState<CodeLines | undefined>(() => highlightedBefore(code, grammar));
  const [isAsking, setAsking] = useState(false);
  const [done, setDone] = useState('');
  useEffect(() => {
    if (grammar === '' || isAsking || done === code) return;
    setAsking(true);
    void highlight(code, grammar).then((found) => {
      setLines(found);
      setDone(code);
      setAsking(false);
    });
  }, [code, grammar, isAsking, done]);
  return lines;
}

function isLine(tokens: readonly CodeToken[] | undefined, text: string): tokens is readonly CodeToken[] {
  return tokens !== undefined && tokens.map(([piece]) => piece).join('') === text;
}

import { useState } from 'react';
import { ScrollBox } from '../parts/scroll-box.tsx';
import { TerminalText } from '../parts/terminal-text.tsx';
import { t } from '../words/t.ts';

/** What is shown of a long text before somebody wants all of it. */
const SHOWN_CHARACTERS = 4000;

/** Output of a tool, which may be endless. */
export function LongText({ text }: { text: string }) {
  const [isWhole, setWhole] = useState(false);
  const isLong = text.length > SHOWN_CHARACTERS;
  return (
    <>
      <ScrollBox className="code" label={t.parts.output}>
        <pre>
          <TerminalText text={isLong && !isWhole ? `${text.slice(0, SHOWN_CHARACTERS)} …` : text} />
        </pre>
      </ScrollBox>
      {isLong && (
        <button
          type="button"
          className="button quiet"
          aria-expanded={isWhole}
          onClick={() => setWhole(!isWhole)}
        >
          {isWhole ? t.parts.showLess : t.parts.showAll(Math.round(text.length / 1000))}
        </button>
      )}
    </>
  );
}

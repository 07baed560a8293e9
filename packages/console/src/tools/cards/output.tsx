import { LongText } from '../../markdown/long-text.tsx';
import { outputPeek } from '../../model/output-peek.ts';
import { TerminalText } from '../../parts/terminal-text.tsx';
import { number } from '../../words/format.ts';
import { t } from '../../words/t.ts';
import type { CardProps } from './tool-card.ts';

/** What a tool printed. */
export function Output({ call: { result, state } }: CardProps) {
  if (!result) return null;
  const isEmpty = result.text.trim() === '';
  if (isEmpty && result.images.length > 0) return null;
  return (
    <div className="result" data-state={state}>
      {isEmpty ? <p className="faint">{t.tools.noOutput}</p> : <LongText text={result.text} />}
    </div>
  );
}

/** A few lines of it. */
export function OutputPeek({ call }: CardProps) {
  const peek = outputPeek(call);
  if (!peek) return null;
  return (
    <pre className="peek" data-state={call.state}>
      {peek.before > 0 && <More count={peek.before} end={'\n'} />}
      <TerminalText text={peek.lines.join('\n')} />
      {peek.after > 0 && <More count={peek.after} start={'\n'} />}
    </pre>
  );
}

function More({ count, start = '', end = '' }: { count: number; start?: string; end?: string }) {
  const words = t.tools.moreLines(count, number(count));
  return <span className="peek-more">{`${start}… ${words}${end}`}</span>;
}

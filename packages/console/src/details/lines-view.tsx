import { useDeferredValue, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { authorName } from '../model/author-name.ts';
import { filterLines, type LineFilter, type RecordedLine } from '../model/recorded-lines.ts';
import { useCommands } from '../palette/commands.ts';
import { CopyButton } from '../parts/copy-button.tsx';
import { number } from '../words/format.ts';
import { locale } from '../words/language.ts';
import { t } from '../words/t.ts';
import { useLines } from './use-lines.ts';

/** What is nearer to the end than this follows it. */
const AT_END_PX = 40;

/** What of a line that is opened is shown; all of it can be copied. */
const SHOWN_CHARACTERS = 50_000;

/** The lines of the record as they were written, for those who build agents: live, held on demand, found by words. */
export function LinesView({ session, next }: { session: string; next: number }) {
  const [held, setHeld] = useState<number>();
  const { lines, hasEarlier, isReading, problem, readEarlier } = useLines(session, held ?? next);
  const [words, setWords] = useState('');
  const [from, setFrom] = useState<LineFilter['from']>('all');
  const sought = useDeferredValue(words);
  const shown = filterLines(lines, { words: sought, from });
  const list = useRef<HTMLOListElement>(null);
  const isAtEnd = useRef(true);
  const last = shown.at(-1)?.seq;
  useLayoutEffect(() => {
    if (isAtEnd.current && list.current) list.current.scrollTop = list.current.scrollHeight;
  }, [last]);
  // Another session is not held.
  useEffect(() => setHeld(undefined), [session]);
  const missed = held === undefined ? 0 : next - held;
  const toggle = (): void => setHeld(held === undefined ? next : undefined);
  useCommands([
    {
      title: held === undefined ? t.details.hold : t.details.release,
      group: 'session',
      run: toggle,
    },
  ]);
  return (
    <section className="details-lines" aria-label={t.details.rawLines} aria-busy={isReading}>
      <div className="lines-head">
        <input
          className="field"
          type="search"
          aria-label={t.details.findLines}
          placeholder={t.details.findLinesHint}
          autoComplete="off"
          spellCheck={false}
          value={words}
          onChange={({ target }) => setWords(target.value)}
        />
        <select
          className="field"
          aria-label={t.details.from}
          value={from}
          onChange={({ target }) => setFrom(fromOf(target.value))}
        >
          <option value="all">{t.details.all}</option>
          <option value="agent">{t.details.fromAgent}</option>
          <option value="others">{t.details.toAgent}</option>
        </select>
        <button type="button" className="button" aria-pressed={held !== undefined} onClick={toggle}>
          {held === undefined
            ? t.details.holdShort
            : missed > 0
              ? t.details.goOnMissed(missed)
              : t.details.goOn}
        </button>
      </div>
      {problem !== '' && (
        <p className="problem" role="alert">
          {problem}
        </p>
      )}
      <ol
        ref={list}
        className="lines"
        aria-label={t.details.lines}
        onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) => {
          isAtEnd.current = scrollHeight - scrollTop - clientHeight < AT_END_PX;
        }}
      >
        {hasEarlier && (
          <li>
            <button type="button" className="button quiet" disabled={isReading} onClick={readEarlier}>
              {t.details.earlier}
            </button>
          </li>
        )}
        {shown.map((line) => (
          <LineRow key={line.seq} line={line} />
        ))}
      </ol>
      <p className="faint small" role="status">
        {shown.length === lines.length
          ? t.details.lineCount(lines.length)
          : t.details.linesOf(shown.length, lines.length)}
      </p>
    </section>
  );
}

function LineRow({ line }: { line: RecordedLine }) {
  const [isOpen, setOpen] = useState(false);
  const { seq, time, author, kind, text } = line;
  const cut = text.length - SHOWN_CHARACTERS;
  return (
    <li className="line" data-by={author.by}>
      <button type="button" className="line-head" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <span className="faint">{seq}</span>
        <time className="faint">{time === undefined ? '' : clockOf(time)}</time>
        <span className="line-kind">
          <span aria-hidden="true">{author.by === 'agent' ? '←' : '→'}</span>{' '}
          <span className="unseen">
            {author.by === 'agent' ? t.details.byAgent : t.common.by(authorName(author))}
          </span>
          {kind || t.details.noJson}
        </span>
        {!isOpen && <span className="line-text faint">{text.slice(0, 400)}</span>}
      </button>
      <CopyButton text={text} label={t.details.copyLine} />
      {isOpen && (
        <pre className="code line-whole" tabIndex={0}>
          {cut > 0 ? t.details.cutOff(text.slice(0, SHOWN_CHARACTERS), number(cut)) : text}
        </pre>
      )}
    </li>
  );
}

function fromOf(value: string): LineFilter['from'] {
  return value === 'agent' || value === 'others' ? value : 'all';
}

function clockOf(time: number): string {
  const at = new Date(time);
  return `${at.toLocaleTimeString(locale, { hour12: false })}.${String(at.getMilliseconds()).padStart(3, '0')}`;
}

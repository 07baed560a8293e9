import { useLayoutEffect, useRef, useState } from 'react';
import { knownFolders } from '../model/known-folders.ts';
import { shortFolder } from '../model/short-folder.ts';
import { hasWord } from '../model/typed-words.ts';
import { SearchIcon } from '../parts/icons.tsx';
import { useNow } from '../parts/use-now.ts';
import { useHubView } from '../shell/hub-context.ts';
import { goInstead, HOME, searchPath } from '../shell/route.ts';
import { t } from '../words/t.ts';
import { HitRow } from './hit-row.tsx';
import { type Found, useSearch } from './use-search.ts';

const CLOCK_MS = 30_000;

const DAY_MS = 86_400_000;

const AGES: readonly (readonly [days: string, name: string])[] = [
  ['', t.search.anyTime],
  ['1', t.search.lastDay],
  ['7', t.search.lastWeek],
  ['30', t.search.lastMonth],
];

/** What was said in all sessions, found by its words. They stand in the address: whoever comes back from a hit sees the others. */
export function SearchPage({ words }: { words: string }) {
  const { sessions } = useHubView();
  const now = useNow(CLOCK_MS);
  const field = useRef<HTMLInputElement>(null);
  const [folder, setFolder] = useState('');
  const [tool, setTool] = useState('');
  const [age, setAge] = useState<{ days: string; since?: number }>({ days: '' });
  const { found, showMore } = useSearch(words, {
    ...(folder === '' ? {} : { folder }),
    ...(tool.trim() === '' ? {} : { tool: tool.trim() }),
    ...(age.since === undefined ? {} : { since: age.since }),
  });
  // With the page itself: what is typed next belongs into it.
  useLayoutEffect(() => field.current?.focus(), []);
  return (
    <main className="page search-page">
      <header className="board-head">
        <a className="button quiet" href={HOME}>
          {t.search.overview}
        </a>
        <h1 className="unseen">{t.search.title}</h1>
        <div className="search" role="search">
          <SearchIcon />
          <input
            ref={field}
            className="field"
            aria-label={t.search.everything}
            placeholder={t.search.everything}
            title={t.search.wordsTitle}
            autoComplete="off"
            spellCheck={false}
            enterKeyHint="search"
            maxLength={900}
            value={words}
            onChange={({ target }) => goInstead(searchPath(target.value))}
          />
        </div>
        <div className="search-filters">
          <select
            className="field"
            aria-label={t.search.when}
            value={age.days}
            onChange={({ target: { value: days } }) =>
              setAge(days === '' ? { days } : { days, since: Date.now() - Number(days) * DAY_MS })
            }
          >
            {AGES.map(([days, name]) => (
              <option key={days} value={days}>
                {name}
              </option>
            ))}
          </select>
          <select
            className="field"
            aria-label={t.search.folder}
            value={folder}
            onChange={({ target }) => setFolder(target.value)}
          >
            <option value="">{t.search.allFolders}</option>
            {knownFolders(sessions).map((known) => (
              <option key={known} value={known}>
                {shortFolder(known)}
              </option>
            ))}
          </select>
          <input
            className="field"
            aria-label={t.search.tool}
            placeholder={t.search.tool}
            autoComplete="off"
            spellCheck={false}
            maxLength={200}
            value={tool}
            onChange={({ target }) => setTool(target.value)}
          />
        </div>
      </header>
      <div className="board-body">
        <p className="faint hint" role="status" aria-label={t.search.found}>
          {statusWords(words, found)}
        </p>
        {found.problem !== '' && (
          <p className="problem" role="alert">
            {found.problem}
          </p>
        )}
        {found.items.length > 0 && (
          <ul className="hits" aria-label={t.search.hits}>
            {found.items.map((hit, at) => (
              // One entry may have several hits.
              // oxlint-disable-next-line react/no-array-index-key
              <HitRow key={`${hit.session} ${hit.seq} ${at}`} hit={hit} now={now} />
            ))}
          </ul>
        )}
        {showMore && (
          <button type="button" className="button" onClick={showMore}>
            {t.search.showMore}
          </button>
        )}
      </div>
    </main>
  );
}

function statusWords(words: string, { sought, items, next, isComplete, problem }: Found): string {
  if (!hasWord(words)) return t.search.about;
  if (sought === '' || problem !== '') return '';
  const more = isComplete ? '' : ` ${t.search.stillIndexing}`;
  if (items.length === 0) return `${t.search.nothing(sought.trim())}${more}`;
  return `${t.search.places(items.length, next !== undefined)}${more}`;
}

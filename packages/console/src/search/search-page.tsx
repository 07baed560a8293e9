import { useLayoutEffect, useRef, useState } from 'react';
import { knownFolders } from '../model/known-folders.ts';
import { shortFolder } from '../model/short-folder.ts';
import { hasWord } from '../model/typed-words.ts';
import { SearchIcon } from '../parts/icons.tsx';
import { useNow } from '../parts/use-now.ts';
import { useHubView } from '../shell/hub-context.ts';
import { goInstead, HOME, searchPath } from '../shell/route.ts';
import { HitRow } from './hit-row.tsx';
import { type Found, useSearch } from './use-search.ts';

const CLOCK_MS = 30_000;

const DAY_MS = 86_400_000;

const AGES: readonly (readonly [days: string, name: string])[] = [
  ['', 'Any time'],
  ['1', 'Last day'],
  ['7', 'Last week'],
  ['30', 'Last month'],
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
          Overview
        </a>
        <h1 className="unseen">Search</h1>
        <div className="search" role="search">
          <SearchIcon />
          <input
            ref={field}
            className="field"
            aria-label="Search in everything said"
            placeholder="Search in everything said"
            title="All words must occur; &quot;words in quotes&quot; follow each other"
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
            aria-label="When"
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
            aria-label="Folder"
            value={folder}
            onChange={({ target }) => setFolder(target.value)}
          >
            <option value="">All folders</option>
            {knownFolders(sessions).map((known) => (
              <option key={known} value={known}>
                {shortFolder(known)}
              </option>
            ))}
          </select>
          <input
            className="field"
            aria-label="Tool"
            placeholder="Tool"
            autoComplete="off"
            spellCheck={false}
            maxLength={200}
            value={tool}
            onChange={({ target }) => setTool(target.value)}
          />
        </div>
      </header>
      <div className="board-body">
        <p className="faint hint" role="status" aria-label="What was found">
          {statusWords(words, found)}
        </p>
        {found.problem !== '' && (
          <p className="problem" role="alert">
            {found.problem}
          </p>
        )}
        {found.items.length > 0 && (
          <ul className="hits" aria-label="Hits">
            {found.items.map((hit, at) => (
              // One entry may have several hits.
              // oxlint-disable-next-line react/no-array-index-key
              <HitRow key={`${hit.session} ${hit.seq} ${at}`} hit={hit} now={now} />
            ))}
          </ul>
        )}
        {showMore && (
          <button type="button" className="button" onClick={showMore}>
            Show more
          </button>
        )}
      </div>
    </main>
  );
}

function statusWords(words: string, { sought, items, next, isComplete, problem }: Found): string {
  if (!hasWord(words))
    return 'Words of people and agents, calls of tools and their results, in all sessions.';
  if (sought === '' || problem !== '') return '';
  const more = isComplete ? '' : ' Earlier sessions are still being indexed: there may be more.';
  if (items.length === 0) return `Nothing was found for “${sought.trim()}”.${more}`;
  return `${items.length}${next === undefined ? '' : ' newest'} ${items.length === 1 ? 'place' : 'places'}.${more}`;
}

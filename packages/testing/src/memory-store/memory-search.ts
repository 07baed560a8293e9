import {
  excerptAround,
  type FoundPage,
  outlineWords,
  type RecordedLine,
  SEARCH_HITS,
  type SearchTerm,
  saidIn,
  searchTerms,
  turnsInPart,
} from '@signalbox/hub/store';
import type { RecordOutline, SearchHit, SearchQuery } from '@signalbox/protocol/hub';
import { pageOf } from './page.ts';
import type { Row, SessionRow, Tables } from './tables.ts';

/** Looks through all lines each time. */
export class MemorySearch {
  readonly #tables: Tables;

  constructor(tables: Tables) {
    this.#tables = tables;
  }

  find(query: SearchQuery): FoundPage {
    const terms = searchTerms(query.words);
    const hits = [...this.#tables.sessions.values()].flatMap(({ value }) => hitsIn(value, terms, query));
    const rows: Row<SearchHit>[] = hits
      .toSorted((one, other) => one.time - other.time)
      .map((value, index) => ({ number: index, value }));
    return { ...pageOf(rows, { limit: SEARCH_HITS, ...query }, 'newest'), isComplete: true };
  }

  outline(session: string): RecordOutline {
    const turns = (this.#tables.sessions.get(session)?.value.lines ?? []).flatMap(({ entry }) => {
      const prompt = saidIn(entry.line.bytes()).find(({ isPrompt }) => isPrompt);
      return prompt ? [{ seq: entry.seq, time: entry.time, words: outlineWords(prompt.text) }] : [];
    });
    const step = turnsInPart(turns.length);
    const items = turns.flatMap((turn, at) =>
      at % step === 0 ? [{ ...turn, turns: Math.min(step, turns.length - at) }] : [],
    );
    return { items, isComplete: true };
  }
}

function hitsIn(
  { session, isImporting, lines }: SessionRow,
  terms: readonly SearchTerm[],
  query: SearchQuery,
): SearchHit[] {
  const { id, folder } = session;
  if (isImporting || (query.session ?? id) !== id || !isUnder(folder, query.folder)) return [];
  const tools = new Map<string, string>();
  return lines.flatMap(({ entry }) =>
    saidIn(entry.line.bytes()).flatMap((said) => {
      if (said.tool && said.call) tools.set(said.call, said.tool);
      const tool = said.tool ?? tools.get(said.call ?? '') ?? null;
      const excerpt = fits(entry, tool, query) ? excerptAround(said.text, terms) : undefined;
      if (!excerpt) return [];
      const { seq, time, author } = entry;
      return [{ session: id, seq, time, author, kind: said.kind, tool, excerpt }];
    }),
  );
}

function isUnder(folder: string | null, above = '/'): boolean {
  return above === '/' || `${folder}/`.startsWith(`${above.replace(/\/+$/, '')}/`);
}

function fits({ time, author }: RecordedLine, tool: string | null, query: SearchQuery): boolean {
  const { since = 0, until = Number.MAX_SAFE_INTEGER, person } = query;
  if (time < since || time >= until) return false;
  if (query.tool && tool?.toLowerCase() !== query.tool.toLowerCase()) return false;
  return !person || (author.by === 'person' && author.name.toLowerCase() === person.toLowerCase());
}

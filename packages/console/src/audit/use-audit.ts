import { useCallback, useEffect, useState } from 'react';
import type { AuditEntry } from 'signalbox/hub';
import { problemWords } from '../model/problem-words.ts';
import { useHub } from '../shell/hub-context.ts';

const PAGE = 100;

/** So many pages are read for one press, where nothing in them is looked for. */
const MAX_PAGES = 20;

/** The audit log, newest first, as far as it was read. */
export function useAudit(): {
  entries: readonly AuditEntry[];
  isReading: boolean;
  hasMore: boolean;
  problem: string;
  /** Read on until a page is what is wanted. */
  readOn: (isWanted: (page: readonly AuditEntry[]) => boolean) => Promise<void>;
} {
  const { api } = useHub();
  const [entries, setEntries] = useState<readonly AuditEntry[]>([]);
  const [after, setAfter] = useState<string>();
  const [isReading, setReading] = useState(true);
  const [problem, setProblem] = useState('');
  const read = useCallback(
    async (from: string | undefined, isWanted: (page: readonly AuditEntry[]) => boolean): Promise<void> => {
      setReading(true);
      setProblem('');
      try {
        let next = from;
        for (let count = 0; count < MAX_PAGES; count += 1) {
          const page = await api.audit({ limit: PAGE, ...(next === undefined ? {} : { after: next }) });
          setEntries((known) => [...known, ...page.items]);
          next = page.next;
          setAfter(next);
          if (next === undefined || isWanted(page.items)) break;
        }
      } catch (error) {
        setProblem(problemWords(error));
      }
      setReading(false);
    },
    [api],
  );
  useEffect(() => {
    setEntries([]);
    void read(undefined, () => true);
  }, [read]);
  return {
    entries,
    isReading,
    hasMore: after !== undefined,
    problem,
    readOn: (isWanted) => read(after, isWanted),
  };
}

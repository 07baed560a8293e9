import { useCallback } from 'react';
import type { Notice, NoticeTarget } from 'signalbox/hub';
import { useHub } from '../shell/hub-context.ts';
import { useReading } from '../shell/use-reading.ts';

/** How many of the last notices are shown. */
const SHOWN = 20;

/** Where notices go and what became of the last ones; `look` reads both again. */
export function useNotices(): {
  targets: readonly NoticeTarget[] | undefined;
  notices: readonly Notice[];
  problem: string;
  look: () => Promise<void>;
} {
  const { api } = useHub();
  const read = useCallback(async () => {
    const [targets, { items }] = await Promise.all([api.noticeTargets(), api.notices({ limit: SHOWN })]);
    return { targets, notices: items };
  }, [api]);
  const { value, problem, look } = useReading(read);
  return { targets: value?.targets, notices: value?.notices ?? [], problem, look };
}

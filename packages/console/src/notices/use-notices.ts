import { messageOf } from '@signalbox/protocol';
import { useCallback, useEffect, useState } from 'react';
import type { Notice, NoticeTarget } from 'signalbox/hub';
import { useHub } from '../shell/hub-context.ts';

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
  const [targets, setTargets] = useState<readonly NoticeTarget[]>();
  const [notices, setNotices] = useState<readonly Notice[]>([]);
  const [problem, setProblem] = useState('');
  const look = useCallback(async (): Promise<void> => {
    try {
      const [all, { items }] = await Promise.all([api.noticeTargets(), api.notices({ limit: SHOWN })]);
      setTargets(all);
      setNotices(items);
      setProblem('');
    } catch (error) {
      setProblem(messageOf(error));
    }
  }, [api]);
  useEffect(() => {
    void look();
  }, [look]);
  return { targets, notices, problem, look };
}

import type { JsonObject } from '@signalbox/protocol';
import { useCallback } from 'react';
import type { SessionState } from 'signalbox/hub';
import { useHub } from '../shell/hub-context.ts';
import { useMayDrive } from '../shell/scope.ts';
import { type Reading, useReading } from '../shell/use-reading.ts';
import { t } from '../words/t.ts';

/** The states in which an agent answers. */
const THERE: readonly SessionState[] = ['active', 'asking', 'idle'];

/** What an agent answers to a question about itself; `refusal` says why it was not asked. */
export function useAgentAnswer<Answer>(
  session: string,
  activity: SessionState,
  subtype: string,
  read: (answer: JsonObject) => Answer,
): Reading<Answer | undefined> & { refusal: string } {
  const { stream } = useHub();
  const mayDrive = useMayDrive();
  const isThere = THERE.includes(activity);
  const ask = useCallback(
    async () => (isThere && mayDrive ? read(await stream.control(session, { subtype })) : undefined),
    [stream, session, subtype, read, isThere, mayDrive],
  );
  const reading = useReading(ask);
  if (!mayDrive) return { ...reading, refusal: t.details.needsDrive };
  if (!isThere) return { ...reading, refusal: t.details.notConnected };
  return { ...reading, refusal: '' };
}

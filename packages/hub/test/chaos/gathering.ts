import type { PermissionRequest } from '@signalbox/protocol/hub';
import { EVENT_MS } from '@signalbox/testing/event-limit';
import { until } from '@signalbox/testing/hub/test-parts';
import type { Evidence } from './evidence.ts';
import { asksFor, promptsHeard } from './invariants.ts';
import type { Player, Stage } from './stage.ts';

/** No prompt waits, at the hub or at the agent, no turn runs and nothing is asked. */
export async function isQuiet(stage: Stage, session: string): Promise<boolean> {
  const { api } = stage;
  const prompts: { items: unknown[] } = await api.call('GET', `/api/sessions/${session}/prompts`);
  const { items } = await api.permissions({ session });
  if (prompts.items.length > 0 || items.length > 0) return false;
  const run = stage.runsOf(session).at(-1);
  // An agent names each prompt when it begins with it.
  if (!run || !promptsHeard(run).every((id) => run.said.some((line) => line.includes(id)))) return false;
  // Asked last: a state from before its prompt was taken is idle too.
  return (await api.session(session)).state === 'idle';
}

/** Everybody's notes about a session that is quiet. */
export async function gather(
  stage: Stage,
  { session, readings }: Player,
  { admitted, told }: Pick<Evidence, 'admitted' | 'told'>,
): Promise<Evidence> {
  const record = await stage.recordOf(session);
  const caughtUp = (): boolean =>
    stage.viewsOf(session).every(({ entries }) => entries.length >= record.length);
  // A viewer that has not caught up by then never will: the comparison says what it lacks.
  const patience = Date.now() + EVENT_MS;
  await until(() => caughtUp() || Date.now() > patience);
  const permissions = await permissionsIn(
    stage,
    session,
    record.map(({ raw }) => raw),
  );
  return {
    session,
    runs: stage.runsOf(session),
    record,
    readings,
    views: stage.viewsOf(session),
    admitted,
    told: [...stage.answersOf(session), ...told],
    permissions,
    decisions: await decisionsOf(stage, session),
  };
}

/** What the hub says of each question: one more answer to it changes nothing, and gets the one that holds. */
async function permissionsIn(
  stage: Stage,
  session: string,
  lines: readonly string[],
): Promise<PermissionRequest[]> {
  const ids = new Set(lines.flatMap((line) => asksFor(line) ?? []));
  const late = { behavior: 'deny', message: 'too late' } as const;
  const permissions: PermissionRequest[] = [];
  // One after the other: a token may have 200 requests at once, and there may be more questions.
  for (const id of ids) permissions.push((await stage.api.answer(session, id, late)).permission);
  return permissions;
}

async function decisionsOf({ api }: Stage, session: string): Promise<string[]> {
  const subjects: string[] = [];
  let after = '';
  do {
    const page: { items: { subject: string | null }[]; next?: string } = await api.call(
      'GET',
      `/api/audit?session=${session}${after}`,
    );
    subjects.push(...page.items.flatMap(({ subject }) => subject ?? []));
    after = page.next === undefined ? '' : `&after=${page.next}`;
  } while (after !== '');
  return subjects;
}

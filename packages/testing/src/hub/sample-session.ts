import type { Session, SnapshotMessage } from '@signalbox/protocol/hub';

/** A session of which only these fields matter. */
export function sampleSession(fields: Partial<Session> = {}): Session {
  return {
    id: 's',
    state: 'idle',
    title: null,
    folder: '/home/ada/shop',
    agent: null,
    model: null,
    mode: null,
    exit: null,
    problem: null,
    lastPrompt: null,
    agentSession: null,
    isLaunched: false,
    view: 'sdk',
    git: null,
    archivedAt: null,
    budget: null,
    restart: null,
    loop: null,
    createdAt: 0,
    updatedAt: 0,
    ...fields,
  };
}

/** The start of a subscription. */
export function snapshot(first: number, last: number): SnapshotMessage {
  return {
    type: 'snapshot',
    session: sampleSession(),
    first,
    last,
    activity: 'idle',
    permissions: [],
    prompts: [],
    viewers: [],
  };
}

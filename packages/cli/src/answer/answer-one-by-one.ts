import { sessionTitle } from '@signalbox/protocol';
import type { HubApi, HubStream, PersonAnswer } from 'signalbox/hub';
import { atHome, inOneLine } from '../cell-text.ts';
import { endOfAsk } from '../hub/author-words.ts';
import { shortId } from '../hub/pick-session.ts';
import { askInTerminal } from '../run/ask-in-terminal.ts';
import { outputFor } from '../run/output-for.ts';
import { type WaitingRequest, waitingRequests } from './waiting-requests.ts';

/** Put what waits to the person at this terminal, oldest first, until nothing is left that can be answered here. */
export async function answerOneByOne(api: HubApi, stream: HubStream, signal: AbortSignal): Promise<void> {
  const left = new Set<string>();
  const isNew = ({ permission: { session, requestId } }: WaitingRequest): boolean =>
    !left.has(`${session} ${requestId}`);
  for (;;) {
    const [next, ...others] = (await waitingRequests(api)).filter(isNew);
    if (!next || signal.aborted) break;
    const { session, permission } = next;
    left.add(`${permission.session} ${permission.requestId}`);
    const behind = others.length > 0 ? ` (${others.length} more)` : '';
    say(`\n${sessionTitle(session)} · ${atHome(session.folder ?? '')} · ${shortId(session.id)}${behind}`);
    await answerOne(api, stream, next, signal);
  }
  if (!signal.aborted) say(left.size === 0 ? 'Nothing waits for an answer.' : 'Nothing else waits.');
}

async function answerOne(
  api: HubApi,
  stream: HubStream,
  waiting: WaitingRequest,
  signal: AbortSignal,
): Promise<void> {
  const { session, permission } = waiting;
  const { requestId } = permission;
  const ended = new EndedElsewhere(stream, waiting);
  const output = await outputFor(session, { command: 'answer' });
  const called = AbortSignal.any([signal, ended.signal]);
  let answer: PersonAnswer | undefined;
  try {
    const leave = (): void => void process.emit('SIGINT');
    answer = await output.asking(permission, () => askInTerminal(permission, called, leave));
  } finally {
    ended.close();
    output.close();
  }
  if (signal.aborted) return;
  if (ended.signal.aborted) return say(ended.words);
  if (!answer) return say('This has fields to fill in: answer it in the browser.');
  const { isFirst, permission: now } = await api.answer(session.id, requestId, answer);
  if (!isFirst) say(endOfAsk(now) ?? '');
}

/** Aborts when a request is answered by somebody else, or not asked any more. */
class EndedElsewhere {
  readonly #ended = new AbortController();
  readonly #watched: { end: () => void };
  words = 'the agent does not ask any more';

  constructor(stream: HubStream, { session, permission: { requestId } }: WaitingRequest) {
    this.#watched = stream.watch(
      session.id,
      (message) => {
        // After a break the snapshot has what is still open.
        const isGone =
          (message.type === 'snapshot' &&
            !message.permissions.some((open) => open.requestId === requestId)) ||
          message.type === 'removed';
        if (isGone) this.#ended.abort();
        if (message.type !== 'permission' || message.permission.requestId !== requestId) return;
        if (message.permission.state === 'open') return;
        this.words = endOfAsk(message.permission) ?? this.words;
        this.#ended.abort();
      },
      { tail: 1 },
    );
  }

  get signal(): AbortSignal {
    return this.#ended.signal;
  }

  close(): void {
    this.#watched.end();
  }
}

function say(text: string): void {
  process.stdout.write(`${text.startsWith('\n') ? '\n' : ''}${inOneLine(text)}\n`);
}

import type { IncomingMessage, ServerResponse } from 'node:http';
import { LIMITS, type WireLine } from '@signalbox/protocol';
import {
  assertJsonContent,
  decodeEvents,
  EventsRefusedError,
  POST_ID_HEADER,
  readBody,
} from '@signalbox/transport';
import { BodyTooLongError } from '../api/api-errors.ts';
import { type Problem, problemOf } from '../api/problem.ts';
import type { DeviceQuotas } from '../auth/device-quotas.ts';
import { permitDialIn } from '../auth/permit.ts';
import { onAnswerEnd } from '../http/answer-end.ts';
import type { RequestPatience } from '../http/request-patience.ts';
import type { LiveSession } from '../live/live-session.ts';
import type { LiveSessions } from '../live/live-sessions.ts';
import type { Device } from '../store/device.ts';
import type { Store } from '../store/store.ts';
import { readingOf } from '../work/readings.ts';
import { HybridPostbox, TAKEN } from './hybrid-postbox.ts';
import { sessionIn } from './session-path.ts';

const EVENTS = /^\/session\/([^/]+)\/events$/;

const TITLES: Record<number, string> = {
  400: 'Bad Request',
  408: 'Request Timeout',
  415: 'Unsupported Media Type',
};

/** What a {@link HybridDoor} works with. */
export interface HybridDoorParts {
  store: Store;
  sessions: LiveSessions;
  quotas: DeviceQuotas;
  patience: RequestPatience;
  /** Who asks; raises `UNAUTHENTICATED` or `ORIGIN_REFUSED`. */
  identify: (request: IncomingMessage) => Promise<Device>;
  log: (error: unknown) => void;
}

/** Where agents post what they say, that hear over their WebSocket: `POST /session/<session>/events`. */
export class HybridDoor {
  readonly #parts: HybridDoorParts;
  readonly #postboxes = new WeakMap<LiveSession, HybridPostbox>();

  constructor(parts: HybridDoorParts) {
    this.#parts = parts;
  }

  /** Answers a POST of events; false for any other request. */
  serve(request: IncomingMessage, response: ServerResponse): boolean {
    const session = request.method === 'POST' ? sessionIn(EVENTS, pathOf(request)) : undefined;
    if (session === undefined) return false;
    this.#take(session, request, response).then(
      () => answer(response, 200, 'application/json', TAKEN),
      (error: unknown) => {
        const problem = refusalOf(error);
        if (problem.status === 500) this.#parts.log(error);
        answer(response, problem.status, 'application/problem+json', JSON.stringify(problem));
      },
    );
    return true;
  }

  async #take(session: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { identify, quotas, patience, sessions } = this.#parts;
    const device = await identify(request);
    onAnswerEnd(response, quotas.take(device.id, 'requests'));
    permitDialIn(device, session);
    const postbox = this.#postboxOf(await sessions.get(session));
    assertJsonContent(request);
    const postId = request.headers[POST_ID_HEADER];
    await postbox.take(
      () => eventsIn(request, response, patience),
      typeof postId === 'string' ? postId : undefined,
    );
  }

  #postboxOf(live: LiveSession): HybridPostbox {
    const postbox = this.#postboxes.get(live) ?? new HybridPostbox(live, this.#parts.store);
    this.#postboxes.set(live, postbox);
    return postbox;
  }
}

async function eventsIn(
  request: IncomingMessage,
  response: ServerResponse,
  { pauseMs }: RequestPatience,
): Promise<WireLine[]> {
  const reading = readingOf(request, response);
  // The next one waits for this one: what stalls is given up, and comes again.
  const lines = decodeEvents(
    await readBody(request, LIMITS.eventsBodyBytes, { reading, patience: { pauseMs } }),
  );
  if (lines.some((line) => line.head().type === undefined))
    throw new EventsRefusedError(400, 'An event is a message: a JSON object with a type.');
  return lines;
}

function pathOf({ url = '/' }: IncomingMessage): string {
  return url.split('?', 1)[0] ?? '/';
}

function refusalOf(error: unknown): Problem {
  if (!(error instanceof EventsRefusedError)) return problemOf(error);
  if (error.status === 413) return problemOf(new BodyTooLongError(LIMITS.eventsBodyBytes));
  const { status, message: detail, code } = error;
  return { type: 'about:blank', title: TITLES[status] ?? 'Too Many Requests', status, detail, code };
}

function answer(response: ServerResponse, status: number, type: string, body: string): void {
  response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' });
  response.end(body);
}

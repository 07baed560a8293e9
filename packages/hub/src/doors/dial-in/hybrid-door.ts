import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import { LIMITS, type WireLine } from '@signalbox/protocol';
import type { Problem } from '@signalbox/protocol/hub/routes';
import {
  assertJsonContent,
  decodeEvents,
  EventsRefusedError,
  POST_ID_HEADER,
  readBody,
} from '@signalbox/transport';
import type { DeviceQuotas } from '../../auth/device-quotas.ts';
import type { OpenSockets } from '../../auth/open-sockets.ts';
import { readingOf } from '../../base/readings.ts';
import { BodyTooLongError } from '../../base/request-errors.ts';
import type { AgentService } from '../../service/agent-service.ts';
import type { LiveSession } from '../../sessions/live-session.ts';
import type { Device } from '../../store/device.ts';
import type { Store } from '../../store/store.ts';
import { Exchange } from '../http/exchange.ts';
import { problemOf } from '../http/problem.ts';
import type { RequestPatience } from '../http/request-patience.ts';
import { HybridPostbox, TAKEN } from './hybrid-postbox.ts';
import { sessionIn } from './session-path.ts';

const EVENTS = /^\/session\/([^/]+)\/events$/;

/** What a {@link HybridDoor} works with. */
export interface HybridDoorParts {
  store: Store;
  agents: AgentService;
  quotas: DeviceQuotas;
  sockets: OpenSockets;
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
    if (request.method !== 'POST') return false;
    const exchange = new Exchange(request, response, this.#parts.patience);
    const session = sessionIn(EVENTS, exchange.path);
    if (session === undefined) return false;
    void this.#answer(session, exchange);
    return true;
  }

  async #answer(session: string, exchange: Exchange): Promise<void> {
    try {
      await this.#take(session, exchange);
      exchange.answer(200, 'application/json', TAKEN);
    } catch (error) {
      const problem = refusalOf(error);
      // That whoever posts has left, or was cut off, is no failure of the hub.
      if (problem.status === 500 && !exchange.isGone) this.#parts.log(error);
      exchange.answer(problem.status, 'application/problem+json', JSON.stringify(problem));
    }
  }

  async #take(session: string, exchange: Exchange): Promise<void> {
    const { identify, quotas, sockets, patience, agents } = this.#parts;
    const request = exchange.body;
    const device = await sockets.entering(async () => {
      const found = await identify(request);
      // A token that is revoked takes along what it is sending.
      sockets.add(found, request);
      return found;
    });
    exchange.onEnd(quotas.take(device.id, 'requests'));
    await agents.hear(device, session, async (live) => {
      assertJsonContent(request);
      await this.#postboxOf(live).take(() => eventsIn(exchange, patience), exchange.header(POST_ID_HEADER));
    });
  }

  #postboxOf(live: LiveSession): HybridPostbox {
    const postbox = this.#postboxes.get(live) ?? new HybridPostbox(live, this.#parts.store);
    this.#postboxes.set(live, postbox);
    return postbox;
  }
}

async function eventsIn(exchange: Exchange, { pauseMs }: RequestPatience): Promise<WireLine[]> {
  const { body, reply } = exchange;
  const reading = readingOf(body, reply);
  // The next one waits for this one: what stalls is given up, and comes again.
  const lines = decodeEvents(
    await readBody(body, LIMITS.eventsBodyBytes, { reading, patience: { pauseMs } }),
  );
  if (lines.some((line) => line.head().type === undefined))
    throw new EventsRefusedError(400, 'An event is a message: a JSON object with a type.');
  return lines;
}

function refusalOf(error: unknown): Problem {
  if (!(error instanceof EventsRefusedError)) return problemOf(error);
  if (error.status === 413) return problemOf(new BodyTooLongError(LIMITS.eventsBodyBytes));
  const { status, message: detail, code } = error;
  return { type: 'about:blank', title: STATUS_CODES[status] ?? '', status, detail, code };
}

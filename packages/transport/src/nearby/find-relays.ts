import { isJsonObject, LIMITS, parseJson, RELAY_PORTS, RELAY_STATUS } from '@signalbox/protocol';
import { WebSocket } from 'ws';

/** How long who listens on a port may take to answer on a busy machine, and how long one that does is listened to. */
const ANSWER_MS = 5000;
const LISTEN_MS = 500;

/** What is heard of one that says more than a relay of agents would in that time: the rest is nobody's business. */
const HEARD_LINES = 10_000;
const HEARD_AGENTS = 100;
const NAME_LENGTH = 200;

/** Something on a port where relays are looked for. */
export interface NearbyRelay {
  port: number;
  /** `open` lets frontends in; `closed` wants a token, which nobody here sends to a stranger. */
  state: 'open' | 'closed';
  /** Agents that were there or spoke while it was listened to; null for one that did not say its name. */
  agents: (string | null)[];
}

/** Look where frontends look for relays of this machine. No token is sent anywhere. */
export async function findRelays(): Promise<NearbyRelay[]> {
  const { first, last } = RELAY_PORTS;
  const ports = Array.from({ length: last - first + 1 }, (_, i) => first + i);
  const found = await Promise.all(ports.map(lookAt));
  return found.flatMap((relay) => relay ?? []);
}

/** What is on this port; undefined when it is no relay. */
function lookAt(port: number): Promise<NearbyRelay | undefined> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/ws`, {
    handshakeTimeout: ANSWER_MS,
    maxPayload: LIMITS.requestBytes.most,
    perMessageDeflate: false,
    followRedirects: false,
  });
  const agents = new Set<string | null>();
  let lines = 0;
  let isOpen = false;
  return new Promise((resolve) => {
    const end = (state?: NearbyRelay['state']): void => {
      resolve(state && { port, state, agents: namesIn(agents) });
      socket.terminate();
    };
    // One that says something too long is a relay all the same.
    socket.on('error', () => end(isOpen ? 'open' : undefined));
    socket.on('unexpected-response', (_request, { statusCode }) =>
      end(statusCode === 401 ? 'closed' : undefined),
    );
    socket.on('open', () => {
      isOpen = true;
      setTimeout(() => end('open'), LISTEN_MS);
    });
    socket.on('message', (data) => {
      const heard = Buffer.isBuffer(data) ? data.toString().split('\n', HEARD_LINES - lines) : [];
      lines += heard.length;
      for (const line of heard) hear(line, agents);
      if (lines >= HEARD_LINES || agents.size >= HEARD_AGENTS) end('open');
    });
  });
}

function hear(line: string, agents: Set<string | null>): void {
  let message: unknown;
  try {
    message = parseJson(line);
  } catch {
    return;
  }
  if (!isJsonObject(message)) return;
  const { type, text, session_id: id } = message;
  if (typeof id === 'string' && id !== '') agents.add(id.slice(0, NAME_LENGTH));
  else if (type === 'status' && text === RELAY_STATUS.alreadyConnected) agents.add(null);
}

/** One that is known by its name was also told to be there. */
function namesIn(agents: ReadonlySet<string | null>): (string | null)[] {
  const names = [...agents].filter((name) => name !== null);
  return names.length > 0 ? names : [...agents];
}

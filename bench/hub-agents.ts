// Agents that say what a benchmark wants, over the lossless link to a hub or over a bare socket to a relay.
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { WebSocketTransport } from '@signalbox/transport';
import { WebSocket } from 'ws';
import { messageOf, serve, sharedClockMs } from './hub-helper.ts';

interface Agent {
  send(line: string): Promise<void> | void;
  /** Settles when all of it has left. */
  settled(): Promise<void>;
  close(): Promise<void>;
}

/** What a bare socket may have to write before its agent waits. */
const HIGH_WATER_BYTES = 512 * 1024;

/** Agents that dial at once. */
const DIALLING = 20;

/** How often paced agents look whether it is time for the next message. */
const TICK_MS = 1;

let agents: Agent[] = [];

async function dialHub(url: string, token: string, session: string): Promise<Agent> {
  const transport = new WebSocketTransport(new URL(`${url}/agent/${session}`), {
    env: {},
    ingressToken: token,
    lossless: true,
  });
  await transport.connect();
  void (async () => {
    for await (const line of transport.receive()) {
      const { type, requestId } = line.head();
      if (type !== 'control_request') continue;
      const response = { subtype: 'success', request_id: requestId, response: {} };
      await transport.send(JSON.stringify({ type: 'control_response', response }));
    }
  })();
  return {
    send: (line) => transport.send(line),
    settled: async () => {},
    close: () => transport.close(),
  };
}

async function dialRelay(url: string, session: string): Promise<Agent> {
  const socket = new WebSocket(`${url}/agent/${session}`);
  await once(socket, 'open');
  const drained = async (bytes: number): Promise<void> => {
    while (socket.bufferedAmount > bytes) await new Promise((resolve) => setImmediate(resolve));
  };
  return {
    send: (line) => {
      socket.send(line);
      return socket.bufferedAmount > HIGH_WATER_BYTES ? drained(HIGH_WATER_BYTES / 2) : undefined;
    },
    settled: () => drained(0),
    close: async () => {
      socket.close();
      await once(socket, 'close');
    },
  };
}

interface Dial {
  kind: 'hub' | 'relay';
  url: string;
  token: string;
  sessions: string[];
}

interface Pace {
  from: number;
  /** Messages of each agent. */
  count: number;
  perSecond: number;
}

serve({
  dial: async ({ kind, url, token, sessions }: Dial) => {
    const waiting = [...sessions];
    const dialOne = async (): Promise<void> => {
      for (let session = waiting.shift(); session !== undefined; session = waiting.shift()) {
        agents.push(await (kind === 'hub' ? dialHub(url, token, session) : dialRelay(url, session)));
      }
    };
    await Promise.all(Array.from({ length: DIALLING }, dialOne));
  },
  /** As fast as it goes; gives the time of the first message. */
  flood: async ({ from, count }: { from: number; count: number }) => {
    const startMs = sharedClockMs();
    await Promise.all(
      agents.map(async (agent) => {
        for (let number = from; number < from + count; number += 1) {
          const room = agent.send(messageOf(number));
          if (room) await room;
        }
        await agent.settled();
      }),
    );
    return startMs;
  },
  /** So many messages of each agent a second, spread over it; gives the time of the first message. */
  pace: async ({ from, count, perSecond }: Pace) => {
    const startMs = sharedClockMs();
    const sent = agents.map(() => 0);
    for (let isDone = false; !isDone; ) {
      isDone = true;
      for (const [index, agent] of agents.entries()) {
        // Each at a moment of its own: no second begins for all of them at once.
        const offset = index / agents.length;
        const now = sharedClockMs();
        const due = Math.min(count, Math.floor(((now - startMs) / 1000) * perSecond - offset + 1));
        for (let number = sent[index] ?? 0; number < due; number += 1) {
          const room = agent.send(messageOf(from + number, sharedClockMs()));
          sent[index] = number + 1;
          if (room && agents.length === 1) await room;
        }
        if ((sent[index] ?? 0) < count) isDone = false;
      }
      await pause(TICK_MS);
    }
    return startMs;
  },
  leave: async () => {
    await Promise.all(agents.map((agent) => agent.close()));
    agents = [];
  },
});

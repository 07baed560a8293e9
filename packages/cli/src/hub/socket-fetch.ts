import { type Agent, type IncomingMessage, request } from 'node:http';
import type { HubFetch } from 'signalbox/hub';

/** A `fetch` over the connections of an agent: the platform's own knows ports only. */
export function fetchBy(agent: Agent): HubFetch {
  return async (url, { body, ...options }) => {
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      request(url, { ...options, agent }, resolve)
        .on('error', reject)
        .end(body);
    });
    const { statusCode: status = 0 } = response;
    const ok = status >= 200 && status < 300;
    const text = async (): Promise<string> => (await import('node:stream/consumers')).text(response);
    return { ok, status, body: bodyOf(response), text };
  };
}

/** What is read of an answer, without the platform's streams: to load those takes as long as to list the sessions of a hub. */
function bodyOf(response: IncomingMessage): NonNullable<Awaited<ReturnType<HubFetch>>['body']> {
  const chunks = response.iterator();
  return {
    getReader: () => ({
      read: async () => {
        const next: IteratorResult<Uint8Array, unknown> = await chunks.next();
        return next.done ? { done: true } : { done: false, value: next.value };
      },
      cancel: async () => void response.destroy(),
    }),
  };
}

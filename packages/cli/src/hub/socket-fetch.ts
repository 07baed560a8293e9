import { type Agent, type IncomingMessage, request } from 'node:http';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
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
    return { ok, status, body: Readable.toWeb(response), text: () => text(response) };
  };
}

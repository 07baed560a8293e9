import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { text } from 'node:stream/consumers';
import { agentTrusting } from '@signalbox/hub/bridge';
import type { HubFetch } from 'signalbox/hub';

/** A `fetch` for a hub that shows this very certificate (PEM): the platform's own trusts authorities only. */
export function fetchTrusting(certificate: string): HubFetch {
  const agent = agentTrusting(certificate);
  return async (url, { body, ...options }) => {
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      request(url, { ...options, agent }, resolve)
        .on('error', reject)
        .end(body);
    });
    const { statusCode: status = 0 } = response;
    return { ok: status >= 200 && status < 300, status, text: () => text(response) };
  };
}

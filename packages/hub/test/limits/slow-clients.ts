import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { onTestFinished } from 'vitest';
import type { Store } from '../../src/store/store.ts';

/** More than the buffers of a connection take. */
const LONG_BYTES = 12 * 1024 * 1024;

/** A session with one long message. */
export async function longSession(store: Store, id: string): Promise<void> {
  await store.sessions.create(id);
  const content = 'x'.repeat(LONG_BYTES);
  const bytes = Buffer.from(`{"type":"user","uuid":"u","message":{"content":"${content}"}}`);
  await store.commit({ appends: [{ session: id, author: { by: 'agent' }, lines: [{ bytes }] }] });
}

/** Ask for something, and read nothing but the head of the answer. */
export async function unread(url: string, token: string, path: string): Promise<IncomingMessage> {
  const asked = request(`${url}${path}`, { agent: false, headers: { authorization: `Bearer ${token}` } });
  const response: IncomingMessage = (await once(asked.end(), 'response'))[0];
  response.on('error', () => {});
  onTestFinished(() => void response.destroy());
  return response;
}

/** Send the head of a request and the beginning of its body, which never ends. */
export function begin(
  url: string,
  token: string,
  path: string,
  type: 'application/json' | 'application/jsonl' = 'application/json',
): ClientRequest {
  const headers = { authorization: `Bearer ${token}`, 'content-type': type, 'content-length': 1000 };
  const begun = request(`${url}${path}`, { method: 'POST', agent: false, headers });
  begun.on('error', () => {});
  begun.write('{"');
  onTestFinished(() => void begun.destroy());
  return begun;
}

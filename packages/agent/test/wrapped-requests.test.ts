import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { driveAgent, isResult } from './drive-agent.ts';

/** As programs do that take down what an agent asks of its model: `request` with options and a callback, and no other form. */
const WRAPPER = `
const http = require('node:http');
const { request } = http;
http.request = function (options, callback) {
  const { protocol, hostname, port, path, method, headers } = options;
  require('node:fs').appendFileSync(process.env.SEEN, JSON.stringify({ protocol, hostname, port, path, method, headers }) + '\\n');
  return request.call(this, options, (response) => { if (callback) callback(response); });
};
`;

it('[AG707] what the model is asked can be watched by a program that wraps request', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'signalbox-wrapper-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const [wrapper, seen] = [join(folder, 'wrapper.cjs'), join(folder, 'seen')];
  await writeFile(wrapper, WRAPPER);
  const agent = await driveAgent({ env: { NODE_OPTIONS: `--require ${wrapper}`, SEEN: seen } });
  await agent.say('say watched');
  expect(await agent.next(isResult)).toMatchObject({ result: 'watched' });
  const { hostname, port } = new URL(agent.model.url);
  const [request] = (await readFile(seen, 'utf8'))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(request).toMatchObject({
    protocol: 'http:',
    hostname,
    method: 'POST',
    path: expect.stringContaining('/v1/messages'),
    headers: { 'x-api-key': 'scripted' },
  });
  expect(String(request.port)).toBe(port);
});

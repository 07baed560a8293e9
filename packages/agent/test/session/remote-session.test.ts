import { existsSync } from 'node:fs';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import type { IncomingMessage, RequestListener } from 'node:http';
import type { JsonObject } from '@signalbox/protocol';
import { describe, expect, it } from 'vitest';
import {
  fetchRemoteSession,
  MAX_REMOTE_BYTES,
  MAX_REMOTE_REDIRECTS,
  remoteToken,
} from '../../src/session/remote-session.ts';
import { teleportUrl } from '../../src/session/resume-target.ts';
import { openSite } from '../tools/web-site.ts';
import { entriesOf, replies, type SessionFolder, says, sessionFolder } from './session-folder.ts';

const ID = '5b02a388-55b8-4280-9c3b-e2a704c01cd5';

/** A session as a hub has it. */
const SAID = [
  { type: 'file-history-snapshot', messageId: 'u1', snapshot: { trackedFileBackups: { '/etc/passwd': {} } } },
  says('u1', null, 'hello', { sessionId: ID, someDay: [1] }),
  replies('a1', 'u1', 'hi there', { sessionId: ID }),
  { type: 'custom-title', customTitle: 'Far', sessionId: ID },
];
const MORE = [says('u2', 'a1', 'more', { sessionId: ID }), replies('a2', 'u2', 'yes', { sessionId: ID })];

const jsonl = (entries: readonly object[]) => entries.map((entry) => `${JSON.stringify(entry)}\n`).join('');
const serving =
  (entries: readonly object[]): RequestListener =>
  (_request, response) =>
    void response.setHeader('content-type', 'application/x-ndjson').end(jsonl(entries));

async function filesOf({ sessionPaths }: SessionFolder): Promise<string[]> {
  return readdir(sessionPaths.projectFolder).catch(() => []);
}

describe('a session from elsewhere', () => {
  it('[SE30] is stored under its own id, and resumed', async () => {
    const folder = await sessionFolder();
    const site = await openSite(serving(SAID));
    const target = await fetchRemoteSession(`${site.url}/t`, { sessionPaths: folder.sessionPaths });
    expect(target).toEqual({ kind: 'session', sessionId: ID });
    const file = folder.sessionPaths.transcriptOf(ID);
    expect(await readFile(file, 'utf8')).toBe(jsonl(SAID.slice(1)));
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const { sessionId, loaded } = await folder.open({ resume: target });
    expect([sessionId, loaded?.messages.length, loaded?.fileHistory]).toEqual([ID, 2, []]);
    expect(folder.problems).toEqual([]);
  });

  it('[SE31] adds what is new to a local session, and leaves the rest as it is', async () => {
    const folder = await sessionFolder();
    const note: JsonObject = { type: 'file-history-snapshot', messageId: 'u1', snapshot: {} };
    const file = await folder.store(ID, [note, ...SAID.slice(1, 3)]);
    const before = await readFile(file, 'utf8');
    const old = await openSite(serving(SAID.slice(0, 3)));
    await fetchRemoteSession(old.url, { sessionPaths: folder.sessionPaths });
    expect(await readFile(file, 'utf8')).toBe(before);
    const site = await openSite(serving([...SAID, ...MORE]));
    await fetchRemoteSession(site.url, { sessionPaths: folder.sessionPaths });
    expect(await readFile(file, 'utf8')).toBe(before + jsonl([...SAID.slice(3), ...MORE]));
  });

  it('[SE31] does not touch a local session that has gone on', async () => {
    const folder = await sessionFolder();
    const file = await folder.store(ID, [...SAID, ...MORE]);
    const before = await readFile(file, 'utf8');
    const site = await openSite(serving(SAID));
    await expect(fetchRemoteSession(site.url, { sessionPaths: folder.sessionPaths })).rejects.toMatchObject({
      code: 'SESSION_AHEAD',
      message: expect.stringContaining(`Go on with --resume ${ID}`),
    });
    expect(await readFile(file, 'utf8')).toBe(before);
  });

  it('[SE31] mends what a crash left of an earlier fetch', async () => {
    const folder = await sessionFolder();
    const whole = jsonl([...SAID.slice(1), ...MORE]);
    const file = await folder.store(ID, []);
    await writeFile(file, whole.slice(0, whole.indexOf('more')));
    const site = await openSite(serving([...SAID, ...MORE]));
    await fetchRemoteSession(site.url, { sessionPaths: folder.sessionPaths });
    const { loaded } = await folder.open({ resume: { kind: 'session', sessionId: ID } });
    expect(loaded?.messages).toHaveLength(4);
  });

  it('[SE32] gets the token at its origin, and it goes nowhere else', async () => {
    const folder = await sessionFolder();
    const thief = await openSite(serving(SAID));
    const site = await openSite((request, response) => {
      if (request.url === '/away') response.writeHead(302, { location: `${thief.url}/t` }).end();
      else if (request.url === '/near') response.writeHead(307, { location: '/t' }).end();
      else if (request.url === '/round') response.writeHead(307, { location: '/round' }).end();
      else serving(SAID)(request, response);
    });
    const get = (path: string) =>
      fetchRemoteSession(site.url + path, { sessionPaths: folder.sessionPaths, token: 'mine' });
    await get('/near');
    const tokenOf = ({ headers }: IncomingMessage) => headers.authorization;
    expect(site.asked.map(tokenOf)).toEqual(['Bearer mine', 'Bearer mine']);
    await expect(get('/away')).rejects.toThrow(`has moved to ${thief.url}`);
    expect(thief.asked).toEqual([]);
    site.asked.length = 0;
    await expect(get('/round')).rejects.toThrow('redirects more than');
    expect(site.asked).toHaveLength(MAX_REMOTE_REDIRECTS + 1);
    expect(remoteToken({ SIGNALBOX_TOKEN: 'a', CLAUDE_CODE_SESSION_ACCESS_TOKEN: 'b' })).toBe('a');
    expect(remoteToken({ SIGNALBOX_TOKEN: '', CLAUDE_CODE_SESSION_ACCESS_TOKEN: 'b' })).toBe('b');
    for (const url of ['http://example.com/t', 'ws://127.0.0.1/t', 'file:///t'])
      await expect(fetchRemoteSession(url, { sessionPaths: folder.sessionPaths })).rejects.toThrow(
        'the address must be https, or http on this machine',
      );
  });

  it('[SE33] is refused with what to do, and leaves nothing behind', async () => {
    const folder = await sessionFolder();
    const site = await openSite(({ url = '' }, response) => {
      const [, status = '', what = ''] = url.split(/[/?]/);
      response.statusCode = Number(status);
      if (what === 'large') response.end(Buffer.alloc(MAX_REMOTE_BYTES + 1, ' '));
      else if (what === 'html') response.end('<html></html>');
      else if (what === 'silent') response.end(jsonl([{ type: 'summary', summary: 'x' }]));
      else if (what === 'path') response.end(jsonl([says('u1', null, 'x', { sessionId: '../../evil' })]));
      else if (what !== 'never') response.end();
    });
    const get = (path: string, timeoutMs = 20_000) =>
      fetchRemoteSession(`${site.url}/${path}?token=private`, {
        sessionPaths: folder.sessionPaths,
        timeoutMs,
      });
    await expect(get('401')).rejects.toThrow('was refused: 401 Unauthorized. Set SIGNALBOX_TOKEN');
    await expect(get('404')).rejects.toThrow('Check the address and the id');
    await expect(get('503')).rejects.toThrow('Try again later');
    await expect(get('200/html')).rejects.toThrow('not every line of it is an entry');
    await expect(get('200/silent')).rejects.toThrow('nobody says anything in it');
    await expect(get('200/path')).rejects.toThrow('is no transcript');
    await expect(get('200/large')).rejects.toThrow(`sent more than ${MAX_REMOTE_BYTES} bytes`);
    await expect(get('200/never', 100)).rejects.toThrow('it took longer than 0.1 s');
    await expect(get('404')).rejects.not.toThrow('private');
    await expect(
      fetchRemoteSession('http://127.0.0.1:1/', { sessionPaths: folder.sessionPaths }),
    ).rejects.toThrow('Is the hub running?');
    expect(await filesOf(folder)).toEqual([]);
    expect(existsSync(folder.sessionPaths.projectFolder)).toBe(false);
  });

  it('[SE33] is not waited for after an interrupt', async () => {
    const folder = await sessionFolder();
    const site = await openSite(() => {});
    const interrupt = new AbortController();
    const fetching = fetchRemoteSession(site.url, {
      sessionPaths: folder.sessionPaths,
      signal: interrupt.signal,
    });
    await expect.poll(() => site.asked.length).toBe(1);
    interrupt.abort(new Error('enough'));
    await expect(fetching).rejects.toThrow('enough');
  });

  it('[SE34] is named by its address, or by its id at the hub', () => {
    const env = { SIGNALBOX_URL: 'https://hub.test/box' };
    const at = `api/sessions/${ID}/transcript`;
    expect(teleportUrl(ID.toUpperCase(), env)).toBe(`https://hub.test/box/${at}`);
    expect(teleportUrl(ID, { SIGNALBOX_URL: 'http://127.0.0.1:80/' })).toBe(`http://127.0.0.1/${at}`);
    expect(teleportUrl('https://a.test/t?x=1', {})).toBe('https://a.test/t?x=1');
    expect(() => teleportUrl(ID, {})).toThrow('set SIGNALBOX_URL');
    expect(() => teleportUrl('../x', env)).toThrow('takes a session id (a UUID) or an http(s) address');
  });

  it('[SE30] is what an agent wrote elsewhere: the fetched file is its file', async () => {
    const [there, here] = [await sessionFolder(), await sessionFolder()];
    const { log } = await there.open({ sessionId: ID });
    log.add({ type: 'user', message: { role: 'user', content: 'from afar' } });
    await log.flush();
    const entries = await entriesOf(there.sessionPaths.transcriptOf(ID));
    const site = await openSite(serving(entries));
    await fetchRemoteSession(site.url, { sessionPaths: here.sessionPaths });
    expect(await entriesOf(here.sessionPaths.transcriptOf(ID))).toEqual(entries);
  });
});

import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { referenceCli } from '@signalbox/testing/reference-cli';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { referenceSdks } from '../../../../conformance/references.ts';
import * as ours from '../../src/index.ts';
import { CONVERSATION, CWD, KEY, replied, said, temporaryFolder, text, uuid } from './stored-session.ts';

const INSTALL_TIMEOUT_MS = 600_000;
const OFFICIAL = 'claude-agent-sdk-0.3.325/node_modules/@anthropic-ai/claude-agent-sdk/sdk.mjs';

type Sessions = Pick<
  typeof ours,
  'listSessions' | 'getSessionInfo' | 'getSessionMessages' | 'forkSession' | 'renameSession' | 'tagSession'
>;

async function official(): Promise<Sessions> {
  await referenceSdks(false);
  const cache = dirname(dirname(dirname(dirname(await referenceCli('2.1.37')))));
  const sessions: Sessions = await import(pathToFileURL(join(cache, OFFICIAL)).href);
  return sessions;
}

/** What was said in a session; uuids are made anew in every fork. */
async function words(sdk: Sessions, sessionId: string): Promise<unknown[]> {
  return (await sdk.getSessionMessages(sessionId, { dir: CWD })).map(({ message }) => message);
}

/** By their ids: changes within a millisecond have no order. */
async function listed(sdk: Sessions): Promise<unknown[]> {
  const sessions = await sdk.listSessions({ dir: CWD });
  return sessions.toSorted((a, b) => a.sessionId.localeCompare(b.sessionId));
}

afterEach(() => vi.unstubAllEnvs());

describe('beside the official SDK', () => {
  it(
    '[SD122] both see the same sessions, and each what the other changed',
    async () => {
      const theirs = await official();
      vi.stubEnv('CLAUDE_CONFIG_DIR', await temporaryFolder());
      const store = new ours.FileSessionStore();
      await store.append(KEY, CONVERSATION);
      const { sessionId } = KEY;
      const call = (id: string): object => ({ type: 'tool_use', id, name: 'Bash', input: {} });
      const reply = { id: 'm', type: 'message', role: 'assistant', model: 'x' };
      const second = { ...KEY, sessionId: uuid(901) };
      const entries = [
        said(1, '<command-name>/x</command-name>'),
        said(2, 'a reminder', { isMeta: true }),
        said(3, 'look twice'),
        { ...replied(4, {}), message: { ...reply, content: [call('a')] } },
        { ...replied(5, {}), message: { ...reply, content: [call('b')] } },
        said(6, [{ type: 'tool_result', tool_use_id: 'a', content: '1' }], { parentUuid: uuid(4) }),
        said(7, [{ type: 'tool_result', tool_use_id: 'b', content: '2' }], { parentUuid: uuid(5) }),
        replied(8, text('done')),
        { type: 'ai-title', aiTitle: 'A title that was made up', sessionId: second.sessionId },
      ];
      await store.append(
        second,
        entries.map((entry) => ({ ...entry, sessionId: second.sessionId })),
      );

      await ours.renameSession(sessionId, 'Ours', { dir: CWD });
      await theirs.tagSession(sessionId, 'theirs', { dir: CWD });
      const fork = await theirs.forkSession(second.sessionId, { dir: CWD });
      const forkOfFork = await ours.forkSession(fork.sessionId, { dir: CWD });

      expect(await listed(ours)).toEqual(await listed(theirs));
      for (const id of [sessionId, second.sessionId, fork.sessionId, forkOfFork.sessionId]) {
        expect(await ours.getSessionInfo(id)).toEqual(await theirs.getSessionInfo(id));
        const options = { dir: CWD, includeSystemMessages: true };
        const messages = await ours.getSessionMessages(id, options);
        expect(messages).toEqual(await theirs.getSessionMessages(id, options));
        expect(messages.length).toBeGreaterThan(3);
      }
      expect(await ours.getSessionInfo(sessionId)).toMatchObject({ summary: 'Ours', tag: 'theirs' });
      expect(await words(theirs, forkOfFork.sessionId)).toEqual(await words(ours, second.sessionId));
    },
    INSTALL_TIMEOUT_MS,
  );
});

import { describe, expect, it } from 'vitest';
import { answerAboutSession } from '../../src/control/answer-about-session.ts';
import { listSessions } from '../../src/session/list-sessions.ts';
import { entriesOf, sessionFolder } from '../session/session-folder.ts';
import { askedHost } from './asked-host.ts';

const ID = '5b02a388-55b8-4280-9c3b-e2a704c01cd5';

describe('a session for a host', () => {
  it('[AG33] shows its settings and hooks, and takes a title that the transcript keeps', async () => {
    const folder = await sessionFolder();
    const { log } = await folder.open({ sessionId: ID });
    log.add({ type: 'user', message: { role: 'user', content: 'hello' } });
    const settings = { effective: { model: 'opus' }, sources: [{ source: 'userSettings', settings: {} }] };
    const ask = askedHost((peer) =>
      answerAboutSession(peer, {
        id: () => ID,
        settings: () => settings,
        applied: () => ({ model: 'claude-opus-5-5' }),
        hooks: () => ({ events: [], hooks: [] }),
        note: (entry) => log.addNote(entry),
      }),
    );
    expect(await ask('get_settings')).toEqual({ ...settings, applied: { model: 'claude-opus-5-5' } });
    expect(await ask('get_hooks_listing')).toEqual({ events: [], hooks: [] });
    expect(await ask('rename_session', { title: ' A new title ' })).toEqual({});
    expect(await ask('rename_session', { title: 'Again', session_id: ID })).toEqual({});
    await expect(ask('rename_session', { title: ' ' })).rejects.toThrow('title must be non-empty');
    await expect(ask('rename_session', { title: 'x', session_id: 'other' })).rejects.toThrow('by now');
    await log.flush();
    expect((await entriesOf(folder.sessionPaths.transcriptOf(ID))).slice(1)).toEqual([
      { type: 'custom-title', customTitle: 'A new title', sessionId: ID },
      { type: 'custom-title', customTitle: 'Again', sessionId: ID },
    ]);
    expect(await listSessions(folder.sessionPaths)).toMatchObject([
      { summary: 'Again', customTitle: 'Again' },
    ]);
  });
});

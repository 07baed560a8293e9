import { rmdirSync } from 'node:fs';
import { TestAgent } from '@signalbox/testing/hub/test-agent';
import { temporaryFolder, tokenFor, until } from '@signalbox/testing/hub/test-parts';
import { describe, expect, it } from 'vitest';
import type { AuditEntry } from '../../src/store/audit.ts';
import { LaunchStage } from './launch-stage.ts';

describe('a prompt for an agent that has ended', () => {
  it('[LN1400] starts it again with its conversation, once for two prompts at a time', async () => {
    const stage = await LaunchStage.open();
    const { id } = await stage.launched();
    await stage.prompt(id, 'say one');
    expect((await stage.call('POST', `/api/sessions/${id}/stop`, {})).body).toMatchObject({
      state: 'exited',
      isLaunched: true,
    });
    const said = (content: string) =>
      stage.call('POST', `/api/sessions/${id}/prompts`, { clientId: content, content });
    const answers = await Promise.all([said('say two'), said('say three')]);
    expect(answers.map(({ status }) => status)).toEqual([201, 201]);
    expect((await stage.call('GET', `/api/sessions/${id}`)).body).toMatchObject({ exit: null });
    await until(async () => (await stage.resultsOf(id)).length === 3);
    expect(await stage.resultsOf(id)).toEqual(['one', 'two', 'three']);
    const messages = await stage.messagesOf(id);
    expect(messages.filter(({ type, subtype }) => type === 'bridge' && subtype === 'started')).toHaveLength(
      2,
    );
    const conversations = messages.flatMap(({ type, session_id: conversation }) =>
      type === 'result' ? [conversation] : [],
    );
    expect(new Set(conversations)).toEqual(new Set([(await stage.store.sessions.get(id))?.agentSession]));
    const { items } = (await stage.call('GET', `/api/audit?session=${id}`)).body;
    const restarts = items.filter(({ what }: AuditEntry) => what === 'restart');
    expect(restarts).toMatchObject([{ subject: 'for a prompt', author: { by: 'person', name: 'Ada' } }]);
  });

  it('[LN1401] stays, with the reason in the session and its record, where the agent cannot be started', async () => {
    const stage = await LaunchStage.open();
    const folder = temporaryFolder();
    const { id } = await stage.launched({ folder });
    await stage.call('POST', `/api/sessions/${id}/stop`, {});
    rmdirSync(folder);
    await stage.call('POST', `/api/sessions/${id}/prompts`, { clientId: 'p', content: 'say lost?' });
    const { exit } = await until(async () => {
      const session = await stage.store.sessions.get(id);
      return session?.exit?.stderr.includes(folder) ? session : undefined;
    });
    expect(exit).toMatchObject({ code: null, signal: null });
    expect(await stage.stateOf(id)).toBe('exited');
    const failed = await until(async () =>
      (await stage.messagesOf(id)).find(({ type, subtype }) => type === 'hub' && subtype === 'failed'),
    );
    expect(failed).toMatchObject({ code: 'FOLDER_NOT_FOUND', message: exit?.stderr });
    const { items } = (await stage.call('GET', `/api/sessions/${id}/prompts`)).body;
    expect(items).toMatchObject([{ clientId: 'p', state: 'waiting' }]);
  });

  it('[LN1402] waits where the agent had dialled in by itself: nobody knows how to start it', async () => {
    const stage = await LaunchStage.open();
    const agent = await TestAgent.dial(`${stage.hub.url}/ws/direct`, await tokenFor(stage.store));
    await until(async () => (await stage.stateOf('direct')) === 'idle');
    await stage.call('POST', '/api/sessions/direct/stop', {});
    await until(() => agent.transport.state === 'closed');
    await stage.call('POST', '/api/sessions/direct/prompts', { clientId: 'p', content: 'hello' });
    expect((await stage.call('GET', '/api/sessions/direct')).body).toMatchObject({
      state: 'exited',
      isLaunched: false,
    });
  });
});

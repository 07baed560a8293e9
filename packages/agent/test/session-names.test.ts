import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { JsonObject } from '@signalbox/protocol';
import { describe, expect, it } from 'vitest';
import { type DrivenAgent, driveAgent, isResult } from './drive-agent.ts';
import { entriesOf } from './session/session-folder.ts';

/** All that the one session of an agent has left on disk. */
async function transcriptOf({ folder }: DrivenAgent): Promise<JsonObject[]> {
  const projects = join(folder, '.claude', 'projects');
  const files = await readdir(projects, { recursive: true });
  return entriesOf(join(projects, files.find((name) => name.endsWith('.jsonl')) ?? ''));
}

describe('the names of a session', () => {
  it('[AG705] have the model name the session; a name that is to be kept is noted once, and lists show it', async () => {
    const agent = await driveAgent();
    const title = (description: unknown, more = {}) =>
      agent.peer.request({ subtype: 'generate_session_title', description, ...more });
    expect(await title('repair the gate of the garden, please')).toEqual({
      title: 'repair the gate of the garden,',
    });
    expect(await title('fix it')).toEqual({ title: null });
    await expect(title(7)).rejects.toThrow('generate_session_title: description must be a string');
    expect(await title('all about the signal box', { persist: true })).toEqual({
      title: 'all about the signal box',
    });
    expect(await title('something else by now', { persist: true })).toEqual({
      title: 'all about the signal box',
    });
    await agent.say('say hi');
    await agent.next(isResult);
    await agent.finish();
    const noted = (await transcriptOf(agent)).filter(({ type }) => type === 'ai-title');
    expect(noted).toMatchObject([{ aiTitle: 'all about the signal box' }]);
  });

  it('[AG706] leave at the end of a transcript what a person said last, for lists of sessions', async () => {
    const agent = await driveAgent({ args: ['--dangerously-skip-permissions'] });
    const turn = async (prompt: string) => {
      const mark = agent.messages.length;
      await agent.say(prompt);
      return agent.next(isResult, mark);
    };
    await turn(`say ${'long words '.repeat(30)}`);
    await turn('say two\nlines');
    await turn('/cost');
    await agent.finish();
    const entries = await transcriptOf(agent);
    const noted = entries.filter(({ type }) => type === 'last-prompt').map(Object);
    expect(noted[0].lastPrompt).toMatch(/^say long words .{185}…$/);
    expect(noted.at(-1)).toMatchObject({
      lastPrompt: 'say two lines',
      leafUuid: entries.findLast(({ type }) => type === 'assistant')?.uuid,
    });
  });
});

import { existsSync } from 'node:fs';
import { link, mkdir, readFile, rename, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ControlHandler } from '@signalbox/protocol';
import { describe, expect, it } from 'vitest';
import { agentInProject } from '../agent-in-project.ts';

const ACCEPTS = ['--permission-mode', 'acceptEdits'];

function call(tool: string, input: object): string {
  return `call ${tool} ${JSON.stringify(input)}`;
}

const allow: ControlHandler = ({ input }) => ({ behavior: 'allow', updatedInput: input });

describe('the path that a call really touches', () => {
  it('[PM473] a link that points at nothing is judged by where a write through it goes', async () => {
    const agent = await agentInProject({ args: ACCEPTS });
    const { path } = agent.project;
    await mkdir(path('outside'));
    await symlink(path('outside/made'), path('repo/dangling'));
    await symlink('dangling', path('repo/second'));
    for (const file_path of ['dangling', 'second'])
      expect((await agent.turn(call('Write', { file_path, content: 'x' }))).tool).toMatchObject({
        is_error: true,
        content: expect.stringContaining('is outside of the working directories'),
      });
    expect(existsSync(path('outside/made'))).toBe(false);
  });

  it('[PM473] a loop of links is refused with a word, and the session goes on', async () => {
    const agent = await agentInProject({ args: ['--dangerously-skip-permissions'] });
    await symlink('b', agent.project.path('repo/a'));
    await symlink('a', agent.project.path('repo/b'));
    for (const [tool, input] of [
      ['Write', { file_path: 'a', content: 'x' }],
      ['Read', { file_path: 'a' }],
      ['Grep', { path: 'a', pattern: 'x' }],
    ] as const)
      expect((await agent.turn(call(tool, input))).tool).toMatchObject({
        is_error: true,
        content: expect.stringContaining('is a loop of symbolic links'),
      });
    expect((await agent.turn('say on')).result).toMatchObject({ result: 'on' });
  });

  it.each(['Write', 'Edit', 'Read'])(
    '[PM474] %s does not follow a folder that became a link after it was judged',
    async (tool) => {
      const agent = await agentInProject({
        args: ['--settings', JSON.stringify({ permissions: { ask: ['Read(./sub/**)', 'Edit(./sub/**)'] } })],
        files: { 'repo/sub/file': 'harmless', 'outside/file': 'secret' },
        onPermission: async (request, context) => {
          const { path } = agent.project;
          if (isReplaced) {
            await rename(path('repo/sub'), path('repo/old'));
            await symlink(path('outside'), path('repo/sub'));
          }
          return allow(request, context);
        },
      });
      const { path } = agent.project;
      let isReplaced = false;
      await agent.turn(call('Read', { file_path: 'sub/file' }));
      isReplaced = true;
      const input =
        tool === 'Write'
          ? { content: 'changed' }
          : tool === 'Edit'
            ? { old_string: 'secret', new_string: 'changed' }
            : {};
      const { tool: result } = await agent.turn(call(tool, { file_path: 'sub/file', ...input }));
      expect(result).toMatchObject({
        is_error: true,
        content: expect.stringContaining(`leads to ${path('outside/file')} now`),
      });
      expect(JSON.stringify(result)).not.toContain('secret');
      expect(await readFile(path('outside/file'), 'utf8')).toBe('secret');
    },
  );

  it('[PM475] a rule may name a link or what it leads to', async () => {
    const deny = ['Read(./alias/**)', 'Read(./data/private)'];
    const agent = await agentInProject({
      args: ['--settings', JSON.stringify({ permissions: { deny } })],
      files: { 'repo/real/file': 'secret', 'repo/data/private': 'secret' },
    });
    const { path } = agent.project;
    await symlink(path('repo/real'), path('repo/alias'));
    await symlink(path('repo/data/private'), path('repo/innocent'));
    for (const file_path of ['alias/file', 'innocent']) {
      const { tool } = await agent.turn(call('Read', { file_path }));
      expect(tool, file_path).toMatchObject({ is_error: true });
      expect(JSON.stringify(tool)).not.toContain('secret');
    }
  });

  it('[PM476] what decides what runs later is protected in any letter case', async () => {
    const agent = await agentInProject({ args: ACCEPTS });
    for (const file_path of ['.GIT/hooks/pre-commit', '.Claude/settings.json', '.MCP.json', 'sub/.BashRC'])
      expect((await agent.turn(call('Write', { file_path, content: 'x' }))).tool).toMatchObject({
        is_error: true,
        content: expect.stringContaining('decides what runs later'),
      });
  });

  it('[PM477] a rewind puts the file back that a write through a link changed', async () => {
    const env = { CLAUDE_CODE_ENABLE_SDK_FILE_CHECKPOINTING: '1' };
    const agent = await agentInProject({ args: ACCEPTS, env });
    const { path } = agent.project;
    await symlink('made', path('repo/dangling'));
    const uuid = crypto.randomUUID();
    await agent.say(call('Write', { file_path: 'dangling', content: 'x' }), { uuid });
    await agent.next(({ type }) => type === 'result');
    expect(await readFile(path('repo/made'), 'utf8')).toBe('x');
    await agent.peer.request({ subtype: 'rewind_files', user_message_id: uuid });
    expect(existsSync(path('repo/made'))).toBe(false);
    expect(existsSync(join(path('repo'), 'dangling'))).toBe(false);
  });

  it('[PM477] a file with several names keeps them', async () => {
    const agent = await agentInProject({ args: ACCEPTS });
    const { path } = agent.project;
    await writeFile(path('repo/one'), 'before');
    await link(path('repo/one'), path('repo/two'));
    await agent.turn(call('Read', { file_path: 'one' }));
    await agent.turn(call('Write', { file_path: 'one', content: 'after' }));
    expect(await readFile(path('repo/two'), 'utf8')).toBe('after');
  });
});

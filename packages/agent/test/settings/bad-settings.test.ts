import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { agentInProject } from '../agent-in-project.ts';

const SETTINGS = 'repo/.claude/settings.json';

function permissions(lists: object): Record<string, string> {
  return { [SETTINGS]: JSON.stringify({ permissions: lists }) };
}

describe('settings that are not as they should be', () => {
  it('[ST470] a rule that cannot be read is named with its file: to allow, it allows nothing', async () => {
    const agent = await agentInProject({ files: permissions({ allow: ['Bash(touch', 'Bash(mkdir:*)'] }) });
    expect((await agent.turn('run touch made')).tool).toMatchObject({ is_error: true });
    expect((await agent.turn('run mkdir made')).tool.is_error ?? false).toBe(false);
    const { stderr } = await agent.finish();
    expect(stderr).toContain(agent.project.path(SETTINGS));
    expect(stderr).toContain('Bash(touch');
    expect(stderr).toContain('It allows nothing until it is mended.');
  });

  it('[ST470] to deny, it holds for its whole tool, and the file stays as it is', async () => {
    const lists = { allow: ['Bash'], deny: ['Bash(rm', 'Read(../x)'] };
    const agent = await agentInProject({
      files: permissions(lists),
      onPermission: ({ input }) => ({
        behavior: 'allow',
        updatedInput: input,
        updatedPermissions: [
          {
            type: 'addRules',
            rules: [{ toolName: 'WebFetch' }],
            behavior: 'allow',
            destination: 'projectSettings',
          },
        ],
      }),
    });
    expect((await agent.turn('run touch made')).tool).toMatchObject({ is_error: true });
    const read = `call Read ${JSON.stringify({ file_path: SETTINGS.slice('repo/'.length) })}`;
    expect((await agent.turn(read)).tool).toMatchObject({ is_error: true });
    expect(existsSync(join(agent.folder, 'made'))).toBe(false);
    await agent.turn(`call TodoWrite ${JSON.stringify({ todos: [] })}`);
    await agent.turn(`call NotebookEdit ${JSON.stringify({ notebook_path: 'a.ipynb', new_source: '' })}`);
    const kept = JSON.parse(await readFile(agent.project.path(SETTINGS), 'utf8'));
    expect(kept.permissions.deny).toEqual(lists.deny);
    const { stderr } = await agent.finish();
    expect(stderr).toContain('Until it is mended it holds for all of Bash.');
    expect(stderr).toContain('Until it is mended it holds for all of Read.');
  });

  it('[ST470] one whose tool cannot be read either keeps the agent from starting', async () => {
    const agent = await agentInProject({ files: permissions({ deny: ['(rm'] }) });
    const { code, stderr } = await agent.finish();
    expect(code).toBe(1);
    expect(stderr).toContain(agent.project.path(SETTINGS));
    expect(stderr).toContain('the deny rule cannot be read');
  });

  it('[ST471] a policy that contradicts itself is told, and the denial holds', async () => {
    const policy = {
      permissions: { allow: ['Bash(touch:*)'], deny: ['Bash(touch:*)'] },
      allowedMcpServers: [{ serverName: 'one' }],
      deniedMcpServers: [{ serverName: 'one' }],
    };
    const agent = await agentInProject({ args: ['--settings', JSON.stringify(policy)] });
    expect((await agent.turn('run touch made')).tool).toMatchObject({ is_error: true });
    const servers = { one: { command: '/bin/true' } };
    expect(await agent.peer.request({ subtype: 'mcp_set_servers', servers })).toMatchObject({ added: [] });
    const { stderr } = await agent.finish();
    expect(stderr).toContain('Bash(touch:*) is both allowed and denied; the denial holds.');
    expect(stderr).toContain('{"serverName":"one"} is both allowed and denied');
  });

  it('[ST471] a settings file that is a loop of links is named', async () => {
    const links = { [SETTINGS]: 'settings.json' };
    const agent = await agentInProject({ files: { 'repo/.claude/x': '' }, links });
    const { code, stderr } = await agent.finish();
    expect(code).toBe(1);
    expect(stderr).toContain(agent.project.path(SETTINGS));
    expect(stderr).toContain('is a loop of symbolic links');
  });

  it('[ST472] 10,000 rules are held, and what one of them denies is denied', async () => {
    const deny = Array.from({ length: 10_000 }, (_, n) => `Bash(tool${n}:*)`);
    const files = permissions({ allow: ['Bash(touch:*)'], deny: [...deny, 'Bash(touch b)'] });
    const agent = await agentInProject({ files });
    await agent.turn('run touch a');
    expect((await agent.turn('run touch b')).tool).toMatchObject({ is_error: true });
    expect(existsSync(join(agent.folder, 'a'))).toBe(true);
    expect(existsSync(join(agent.folder, 'b'))).toBe(false);
  });
});

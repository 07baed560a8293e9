import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { ControlHandler } from '@signalbox/protocol';
import { describe, expect, it } from 'vitest';
import { readCommandLine } from '../../src/command-line/agent-options.ts';
import { agentInProject } from '../agent-in-project.ts';

const DISABLED = JSON.stringify({ permissions: { disableBypassPermissionsMode: 'disable' } });

/** Allow a call, and switch asking off with it. */
const allowAndBypass: ControlHandler = ({ input }) => ({
  behavior: 'allow',
  updatedInput: input,
  updatedPermissions: [{ type: 'setMode', mode: 'bypassPermissions', destination: 'session' }],
});

function agents(permissionMode: string) {
  return { free: { description: 'works', prompt: 'You work.', permissionMode } };
}

function task(prompt: string): string {
  return `call Task ${JSON.stringify({ description: 'a part', subagent_type: 'free', prompt })}`;
}

describe('a mode', () => {
  it('[PM510] is told to the host as soon as it is entered, however it is', async () => {
    const modes = (messages: readonly unknown[]): unknown[] =>
      messages.flatMap((message) => {
        const { subtype, permissionMode } = Object(message);
        return subtype === 'status' ? [permissionMode] : [];
      });
    const agent = await agentInProject({
      onPermission: ({ input }) => ({
        behavior: 'allow',
        updatedInput: input,
        updatedPermissions: [{ type: 'setMode', mode: 'acceptEdits', destination: 'session' }],
      }),
    });
    await agent.peer.request({ subtype: 'set_permission_mode', mode: 'dontAsk' });
    await agent.peer.request({ subtype: 'set_permission_mode', mode: 'dontAsk' });
    await agent.peer.request({ subtype: 'set_permission_mode', mode: 'default' });
    await agent.turn('run touch first');
    expect(modes(agent.messages)).toEqual(['dontAsk', 'default', 'acceptEdits']);
  });

  it.each(['delegate', 'auto'])('[PM511] %s, which only other agents have, is refused', async (mode) => {
    const agent = await agentInProject({
      files: { 'home/.claude/settings.json': JSON.stringify({ permissions: { defaultMode: mode } }) },
    });
    await expect(agent.peer.request({ subtype: 'set_permission_mode', mode })).rejects.toThrow(
      `Cannot set permission mode to ${mode} because this agent does not have it`,
    );
    expect(await agent.peer.request({ subtype: 'list_permission_rules' })).toMatchObject({ mode: 'default' });
    const { stderr } = await agent.finish();
    expect(stderr).toContain('The mode stays default.');
    expect(() => readCommandLine(['-p', 'x', '--permission-mode', mode])).toThrow('must be one of default,');
  });
});

describe('a mode that may not be entered', () => {
  it.each([
    ['was not launched with', [], 'bypass_not_launched'],
    [
      'is disabled by settings',
      ['--allow-dangerously-skip-permissions', '--settings', DISABLED],
      'bypass_disabled',
    ],
  ])('[PM470] %s: no answer and no control request leads there', async (_why, args, code) => {
    let asked = 0;
    const agent = await agentInProject({
      args,
      onPermission: (request, context) => {
        asked += 1;
        return allowAndBypass(request, context);
      },
    });
    const { tool } = await agent.turn('run touch first');
    expect(tool.is_error ?? false).toBe(false);
    await agent.turn('run touch second');
    expect(asked).toBe(2);
    expect(await agent.peer.request({ subtype: 'list_permission_rules' })).toMatchObject({ mode: 'default' });
    await expect(
      agent.peer.request({ subtype: 'set_permission_mode', mode: 'bypassPermissions' }),
    ).rejects.toMatchObject({ errorCode: code });
    const { stderr } = await agent.finish();
    expect(stderr).toContain('Cannot set permission mode to bypassPermissions');
    expect(stderr).toContain('The mode stays default.');
  });

  it('[PM470] is not entered by a hook that answers for a person', async () => {
    const decision = {
      behavior: 'allow',
      updatedPermissions: [{ type: 'setMode', mode: 'bypassPermissions', destination: 'session' }],
    };
    const output = { hookSpecificOutput: { hookEventName: 'PermissionRequest', decision } };
    const command = `grep -q first && echo '${JSON.stringify(output)}'; true`;
    const hooks = { PermissionRequest: [{ hooks: [{ type: 'command', command }] }] };
    const agent = await agentInProject({ args: ['--settings', JSON.stringify({ hooks })] });
    await agent.turn('run touch first');
    const { tool } = await agent.turn('run touch second');
    expect(tool).toMatchObject({ is_error: true });
    expect(existsSync(join(agent.folder, 'first'))).toBe(true);
    expect(existsSync(join(agent.folder, 'second'))).toBe(false);
  });

  it('[PM470] is not entered by the definition of a sub-agent', async () => {
    const agent = await agentInProject({
      args: ['--allow-dangerously-skip-permissions', '--settings', DISABLED],
    });
    await agent.peer.request({ subtype: 'initialize', agents: agents('bypassPermissions') });
    await agent.turn(task('run touch made'));
    expect(existsSync(join(agent.folder, 'made'))).toBe(false);
    expect((await agent.finish()).stderr).toContain('The agent free: Cannot set permission mode');
  });

  it('[PM470] is not where a session starts; the person is told', async () => {
    const agent = await agentInProject({ args: ['--dangerously-skip-permissions', '--settings', DISABLED] });
    expect((await agent.turn('run touch made')).tool).toMatchObject({ is_error: true });
    expect((await agent.finish()).stderr).toContain('it is disabled by settings or configuration');
  });
});

describe('the mode of a sub-agent', () => {
  it('[PM471] does not lead out of the plan mode of its session', async () => {
    const agent = await agentInProject({ args: ['--permission-mode', 'plan'] });
    await agent.peer.request({ subtype: 'initialize', agents: agents('acceptEdits') });
    const call = `call Write ${JSON.stringify({ file_path: 'made', content: 'x' })}`;
    await agent.turn(task(call));
    expect(existsSync(join(agent.folder, 'made'))).toBe(false);
  });

  it('[PM471] holds where the session has the default one', async () => {
    const agent = await agentInProject();
    await agent.peer.request({ subtype: 'initialize', agents: agents('acceptEdits') });
    const call = `call Write ${JSON.stringify({ file_path: 'made', content: 'x' })}`;
    await agent.turn(task(call));
    expect(existsSync(join(agent.folder, 'made'))).toBe(true);
  });
});

import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ControlHandler, JsonObject } from '@signalbox/protocol';
import { describe, expect, it, onTestFinished } from 'vitest';
import { agentInProject, toolResults } from '../agent-in-project.ts';
import { driveAgent, isResult } from '../drive-agent.ts';

/** Allow a call together with all that is suggested for it. */
const allowAlways: ControlHandler = ({ input, permission_suggestions: suggestions }) => ({
  behavior: 'allow',
  updatedInput: input,
  updatedPermissions: suggestions,
});

describe('what a host grants', () => {
  it('[PM241] settles the calls that wait and that it covers', async () => {
    const outside = await realpath(await mkdtemp(join(tmpdir(), 'signalbox-outside-')));
    onTestFinished(() => rm(outside, { recursive: true, force: true }));
    for (const name of ['a', 'b']) await writeFile(join(outside, name), `this is ${name}`);
    const asked: JsonObject[] = [];
    let cancelled = 0;
    const reads = ['a', 'b'].map((name) => ({ tool: 'Read', input: { file_path: join(outside, name) } }));
    const agent = await driveAgent({
      scenario: {
        name: 'two',
        turns: [
          { name: 'done', when: { tool_result: {} }, say: ['done'] },
          { name: 'read', when: { user: 'go' }, say: reads },
        ],
        fallback: { say: ['?'] },
      },
      // The first is answered when the second has been asked, which nobody answers.
      onPermission: async (request, context) => {
        asked.push(request);
        if (asked.length === 1) {
          while (asked.length < 2) await new Promise((resolve) => setImmediate(resolve));
          return allowAlways(request, context);
        }
        return new Promise((_, reject) => {
          context.signal.addEventListener('abort', () => {
            cancelled += 1;
            reject(new Error('called off'));
          });
        });
      },
    });
    await agent.say('go');
    await agent.next(isResult);
    const results = JSON.stringify(toolResults(agent.messages));
    expect(results).toContain('this is a');
    expect(results).toContain('this is b');
    expect(cancelled).toBe(1);
  });

  it('[PM3730] is another call where its input is changed, and a rule that denies that one holds', async () => {
    const changed: JsonObject[] = [
      { command: 'cat .env' },
      { command: 'curl x' },
      { command: 'echo changed' },
    ];
    const agent = await driveAgent({
      args: ['--disallowedTools', 'Read(.env),Bash(curl:*)'],
      onPermission: () => ({ behavior: 'allow', updatedInput: changed.shift() ?? {} }),
    });
    for (const said of ['.env', 'curl', 'changed']) {
      const mark = agent.messages.length;
      await agent.say('run touch it');
      expect(await agent.next(isResult, mark)).toMatchObject({ result: expect.stringContaining(said) });
    }
    const denials = agent.messages.filter(({ subtype }) => subtype === 'permission_denied');
    expect(denials).toMatchObject([{ tool_name: 'Bash' }, { tool_name: 'Bash' }]);
  });

  it('[ST240] holds in the next session, also in a folder that nobody trusts; a repository cannot plant it', async () => {
    const planted = { permissions: { allow: ['Bash(curl:*)'] } };
    const project = { 'repo/.claude/settings.local.json': JSON.stringify(planted) };
    let asked: string[] = [];
    const onPermission: ControlHandler = (request, context) => {
      asked.push(String(Object(request.input).command));
      return allowAlways(request, context);
    };
    const first = await agentInProject({ files: project, isTrusted: false, onPermission });
    await first.turn('run sh -c "exit 0"');
    expect(asked).toEqual(['sh -c "exit 0"']);
    await first.finish();

    asked = [];
    const second = await driveAgent({
      folder: first.project.path('repo'),
      env: { HOME: first.project.path('home') },
      onPermission,
    });
    await second.say('run sh -c "exit 0"');
    await second.next(isResult);
    expect(asked).toEqual([]);
    const before = second.messages.length;
    await second.say('run wget --version');
    await second.next(isResult, before);
    expect(asked).toEqual(['wget --version']);
    const { stderr } = await second.finish();
    expect(stderr).toContain('permissions.allow');

    // It is the answer of this person alone, and of this folder.
    await mkdir(first.project.path('elsewhere/.claude'), { recursive: true });
    const rules = { permissions: { allow: ['Bash(sh -c "exit 0")'] } };
    await writeFile(first.project.path('elsewhere/.claude/settings.local.json'), JSON.stringify(rules));
    asked = [];
    const third = await driveAgent({
      folder: first.project.path('elsewhere'),
      env: { HOME: first.project.path('home') },
      onPermission,
    });
    await third.say('run sh -c "exit 0"');
    await third.next(isResult);
    expect(asked).toEqual(['sh -c "exit 0"']);
  });
});

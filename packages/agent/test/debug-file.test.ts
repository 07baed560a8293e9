import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { agentInProject } from './agent-in-project.ts';

it('[AG510] --debug-file tells what the agent does, by category, without keys', async () => {
  const hook = { hooks: { PreToolUse: [{ hooks: [{ type: 'command', command: 'true' }] }] } };
  const agent = await agentInProject({
    files: {
      'home/.claude/settings.json': JSON.stringify(hook),
      'mcp.json': JSON.stringify({ mcpServers: { lost: { command: '/nowhere/at/all' } } }),
    },
    args: ['--dangerously-skip-permissions', '--debug-file', '../debug.log', '--mcp-config', '../mcp.json'],
    env: { ANTHROPIC_API_KEY: 'sk-ant-very-secret-key' },
  });
  await agent.turn('run echo sk-ant-very-secret-key');
  const lines = (await readFile(join(agent.project.path('.'), 'debug.log'), 'utf8')).split('\n');
  for (const words of [
    / session: \S+ takes the prompt/,
    / mcp: lost: failed: /,
    / api: asks claude-\S+, messages: 1, tools: \d+/,
    / api: claude-\S+ replied after \d+ ms: tool_use, .*input_tokens/,
    / hooks: PreToolUse:Bash: 1 match/,
    / permission: Bash \S+: allow/,
    / tools: Bash \S+ runs: .*"command"/,
    / tools: Bash \S+ done: /,
    / session: \S+ ends the turn: done/,
  ])
    expect(lines.filter((line) => words.test(line))).not.toEqual([]);
  expect(lines.join('\n')).not.toContain('very-secret');
});

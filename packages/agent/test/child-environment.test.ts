import { readdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { agentInProject } from './agent-in-project.ts';
import { driveAgent, isResult } from './drive-agent.ts';

const SOURCE = fileURLToPath(new URL('../src', import.meta.url));

/** Starts a program inside of the sandbox, in the environment that the sandbox was given. */
const RUNS_INSIDE = 'sandbox/forwarder.ts';

const SECRETS = {
  SIGNALBOX_TOKEN: 'own-secret-1',
  SIGNALBOX_TOKEN_FILE: '/own-secret-2',
  SIGNALBOX_AGENT_VARIABLES: '{"A":"own-secret-3"}',
  CLAUDE_CODE_SESSION_ACCESS_TOKEN: 'own-secret-4',
};

describe('the environment of what the agent starts', () => {
  it('[AG470] has none of our secrets: commands, hooks, servers and their helpers', async () => {
    const address = await listen();
    const note = (name: string): string => `env > "$CLAUDE_PROJECT_DIR"/${name}`;
    const settings = {
      hooks: { UserPromptSubmit: [{ hooks: [{ type: 'command', command: note('hook') }] }] },
    };
    const mcpServers = {
      child: {
        command: '/bin/sh',
        args: ['-c', 'env > server; exec cat > /dev/null'],
        env: { GIVEN: 'yes' },
      },
      remote: { type: 'http', url: address, headersHelper: "env > helper; echo '{}'" },
    };
    const agent = await agentInProject({
      args: [
        '--dangerously-skip-permissions',
        '--settings',
        JSON.stringify(settings),
        '--mcp-config',
        JSON.stringify({ mcpServers }),
      ],
      env: { ...SECRETS, MCP_TIMEOUT: '1000', KEPT: 'kept' },
    });
    // A host may bring a new one while the session runs.
    const variables = { CLAUDE_CODE_SESSION_ACCESS_TOKEN: 'own-secret-5' };
    await agent.peer.send({ type: 'update_environment_variables', variables });
    await agent.turn('run env > command');
    for (const name of ['command', 'hook', 'server', 'helper']) {
      const text = await readFile(join(agent.folder, name), 'utf8');
      expect(text, name).not.toContain('own-secret');
      // What people set for their programs stays, as with claude.
      expect(text, name).toContain('ANTHROPIC_API_KEY=scripted');
      expect(text, name).toContain('KEPT=kept');
    }
    expect(await readFile(join(agent.folder, 'server'), 'utf8')).toContain('GIVEN=yes');
  });

  it('[AG471] does not get the key that an apiKeyHelper printed, nor has the helper our secrets', async () => {
    const settings = { apiKeyHelper: 'env > helper; echo helped-key' };
    const agent = await driveAgent({
      args: ['--dangerously-skip-permissions', '--settings', JSON.stringify(settings)],
      env: { ...SECRETS, ANTHROPIC_API_KEY: '' },
    });
    await agent.say('run env > command');
    expect(await agent.next(isResult)).toMatchObject({ is_error: false });
    expect(agent.messages.find(({ type }) => type === 'system')).toMatchObject({
      apiKeySource: 'apiKeyHelper',
    });
    expect(await readFile(join(agent.folder, 'command'), 'utf8')).not.toMatch(/helped-key|own-secret/);
    expect(await readFile(join(agent.folder, 'helper'), 'utf8')).not.toContain('own-secret');
  });

  it('[AG560] an apiKeyHelper that prints without end and takes no notice of a gentle end is ended', async () => {
    const settings = { apiKeyHelper: "trap '' TERM PIPE; while :; do head -c 300000 /dev/zero; done" };
    const agent = await driveAgent({
      args: ['--settings', JSON.stringify(settings)],
      env: { ANTHROPIC_API_KEY: '' },
    });
    expect(await agent.finish()).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('The apiKeyHelper of the settings failed'),
    });
  });

  it('[AG470] is made in one place by everyone who starts a program', () => {
    const files = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.endsWith('.ts'),
    );
    const starting = files.filter((name) =>
      /node:child_process|\bspawnTransport\b/.test(readFileSync(join(SOURCE, name), 'utf8')),
    );
    expect(starting.length).toBeGreaterThan(4);
    const without = starting.filter(
      (name) => !/\bchildEnvironment\(/.test(readFileSync(join(SOURCE, name), 'utf8')),
    );
    expect(without).toEqual([RUNS_INSIDE]);
  });
});

/** A server that answers nothing useful. */
async function listen(): Promise<string> {
  const server = createServer((_request, response) => response.writeHead(404).end());
  onTestFinished(() => void server.close());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/`;
}

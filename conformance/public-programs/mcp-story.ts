import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { check } from '../check.ts';
import type { Scene, Story } from './story.ts';

/** A person whose assistant hands work to the agent, through a server that offers it as a tool. */
async function assistantStory({ stage, program, agent, env }: Scene): Promise<unknown> {
  const client = new Client({ name: 'assistant', version: '1' });
  stage.onLeave(() => client.close());
  await client.connect(
    new StdioClientTransport({
      command: `${program.nodeFolder}/node`,
      args: [program.path('dist/server.js')],
      cwd: stage.folder,
      env: { ...env, CLAUDE_CLI_NAME: agent },
      stderr: 'ignore',
    }),
  );
  const call = (prompt: string): Promise<unknown> =>
    client
      .callTool({ name: 'claude_code', arguments: { prompt, workFolder: stage.folder } })
      .catch((error: Error) => ({ refused: error.message }));
  const told = {
    says: await call('say hello'),
    writes: await call(`write ${stage.path('new.txt')} text`),
    fails: await call('run exit 3'),
  };
  const written = await stage.read(stage.path('new.txt'));
  check(written === 'text', `the assistant wrote nothing: ${JSON.stringify(told)}`);
  return { ...told, written };
}

export const mcpStory: Story = {
  program: { name: '@steipete/claude-code-mcp', version: '1.10.12' },
  name: 'an assistant hands work to the agent',
  play: assistantStory,
};

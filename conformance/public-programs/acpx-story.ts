import { check } from '../check.ts';
import { installed } from './public-program.ts';
import { runToEnd } from './run-to-end.ts';
import type { Scene, Story } from './story.ts';

const ADAPTER = { name: '@agentclientprotocol/claude-agent-acp', version: '0.99.1' };

/**
 * Lines that are not compared: what a tool told the model is in the words of each agent, and the adapter looks at its
 * account beside everything else, with an empty line after it.
 */
const NOT_COMPARED = /^$|^ {4}|_auth\/status_update/;

/** A person in a shell: one prompt that reads, one that writes, and one that may not. */
async function shellStory(scene: Scene): Promise<unknown> {
  const { stage, program, agent } = scene;
  const adapter = await installed(ADAPTER);
  const acpx = async (...args: string[]): Promise<unknown> => {
    const { code, stdout, stderr } = await runToEnd(
      scene,
      'node',
      [program.path('dist/cli.js'), '--agent', `node ${adapter.path('dist/index.js')}`, ...args],
      { more: { CLAUDE_CODE_EXECUTABLE: agent } },
    );
    return { code, stderr, lines: stdout.split('\n').filter((line) => !NOT_COMPARED.test(line)) };
  };
  const file = await stage.write(stage.path('notes.txt'), 'one\n');
  const told = {
    reads: await acpx('--approve-reads', 'exec', `read ${file}`),
    writes: await acpx('--approve-all', 'exec', `write ${stage.path('new.txt')} text`),
    refused: await acpx('--deny-all', 'exec', 'run touch never'),
  };
  check((await stage.read(stage.path('new.txt'))) === 'text', `nothing was written: ${JSON.stringify(told)}`);
  return { ...told, never: await stage.has('never') };
}

export const acpxStory: Story = {
  program: { name: 'acpx', version: '0.19.1' },
  name: 'a shell reads a file, writes one and refuses a command',
  play: shellStory,
};

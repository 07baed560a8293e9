import { join } from 'node:path';
import { freePort } from '@signalbox/testing/free-port';
import { check } from '../check.ts';
import { runToEnd } from './run-to-end.ts';
import { MODEL } from './script.ts';
import type { Scene, Story } from './story.ts';

/** A person with a provider of their own, to which a router leads the agent. */
async function routedStory(scene: Scene): Promise<unknown> {
  const { stage, program, agent } = scene;
  const config = {
    PORT: await freePort(),
    CLAUDE_PATH: agent,
    NON_INTERACTIVE_MODE: true,
    LOG: false,
    Providers: [
      {
        name: 'mine',
        api_base_url: `${stage.model.url}/v1/messages`,
        api_key: 'scripted',
        models: [MODEL],
        transformer: { use: ['Anthropic'] },
      },
    ],
    Router: { default: `mine,${MODEL}` },
  };
  await stage.write(join(stage.home, '.claude-code-router', 'config.json'), JSON.stringify(config));
  const router = async (...args: string[]): Promise<{ code: number | null; stdout: string }> => {
    const { code, stdout } = await runToEnd(scene, 'node', [program.path('dist/cli.js'), ...args]);
    return { code, stdout };
  };
  const file = stage.path('new.txt');
  const told = {
    says: await router('code', '-p', 'say hello'),
    writes: await router('code', '-p', '--dangerously-skip-permissions', `write ${file} text`),
    goesOn: await router('code', '-p', '-c', 'say more'),
  };
  await router('stop');
  check(told.says.stdout.includes('hello'), `the router says ${JSON.stringify(told.says)}`);
  return { ...told, written: await stage.read(file) };
}

export const routerStory: Story = {
  program: { name: '@musistudio/claude-code-router', version: '1.0.73' },
  name: "an agent on a provider of one's own",
  play: routedStory,
};

// What every example stands on: the agent of this repository, a scripted model instead of a real one, an empty folder.
// With a real model none of this is needed: `query({ prompt })` finds the agent and uses your key.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type ScenarioInput, startScriptedModel } from '@signalbox/model';
import type { Options } from 'signalbox';

const AGENT = fileURLToPath(new URL('../dist/signalbox-agent.js', import.meta.url));

export interface Stage extends AsyncDisposable {
  /** Where the agent works; its home too. */
  folder: string;
  /** Options that run the agent here. */
  options: Options;
}

/** Set the stage for a scenario (docs/SCENARIOS.md); `await using` clears it away. */
export async function openStage(scenario: ScenarioInput): Promise<Stage> {
  const folder = await mkdtemp(join(tmpdir(), 'signalbox-example-'));
  const model = await startScriptedModel({ scenario });
  return {
    folder,
    options: {
      cwd: folder,
      pathToClaudeCodeExecutable: AGENT,
      env: {
        PATH: process.env['PATH'],
        HOME: folder,
        ANTHROPIC_BASE_URL: model.url,
        ANTHROPIC_API_KEY: 'scripted',
      },
    },
    async [Symbol.asyncDispose]() {
      await model.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

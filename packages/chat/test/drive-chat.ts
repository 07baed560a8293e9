import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type ScriptedModel, startScriptedModel } from '@signalbox/model';
import { TmuxPane } from '@signalbox/testing/tmux-pane';
import { onTestFinished } from 'vitest';

const AGENT = fileURLToPath(new URL('../../../dist/signalbox-agent.js', import.meta.url));
const DRIVEN = [
  '-p',
  '--verbose',
  '--input-format=stream-json',
  '--output-format=stream-json',
  '--include-partial-messages',
  '--permission-prompt-tool=stdio',
];

/** A chat in a terminal, with its agent in a folder of its own. */
export interface DrivenChat {
  pane: TmuxPane;
  folder: string;
}

interface ChatSettings {
  launcher: string;
  folder?: string;
  columns?: number;
  rows?: number;
  env?: Record<string, string>;
}

/** The chat with the real agent on the scripted model that does what is typed. */
export async function chatWithAgent(settings: ChatSettings): Promise<DrivenChat & { model: ScriptedModel }> {
  const model = await startScriptedModel({ scenario: 'puppet' });
  onTestFinished(() => model.close());
  const env = { ANTHROPIC_BASE_URL: model.url, ...settings.env };
  return { model, ...(await chatWith([process.execPath, AGENT, ...DRIVEN], { ...settings, env })) };
}

/** The chat with any agent; ready when it asks for a prompt. */
export async function chatWith(agent: readonly string[], settings: ChatSettings): Promise<DrivenChat> {
  const { launcher, folder = await temporaryFolder(), ...rest } = settings;
  const pane = await TmuxPane.start([process.execPath, launcher, folder, ...agent], rest);
  await pane.see('❯');
  return { pane, folder };
}

export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'signalbox-chat-test-'));
  // The chat and its agent may still be on their way out.
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }));
  return folder;
}

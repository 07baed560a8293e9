import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type ScenarioInput, type ScriptedModel, startScriptedModel } from '@signalbox/model';
import {
  type AgentMessage,
  type ControlHandler,
  ControlPeer,
  type PromptMessage,
  parseAgentMessage,
} from '@signalbox/protocol';
import { type ChildTransport, spawnTransport } from '@signalbox/transport';
import { onTestFinished } from 'vitest';

const AGENT = fileURLToPath(new URL('../../../dist/signalbox-agent.js', import.meta.url));

const DRIVEN = ['-p', '--input-format', 'stream-json', '--output-format', 'stream-json', '--verbose'];

/** An agent under test: the executable, in a folder of its own, on a scripted model. */
export interface DrivenAgent {
  folder: string;
  model: ScriptedModel;
  transport: ChildTransport;
  peer: ControlPeer;
  messages: AgentMessage[];
  say(content: string, fields?: Partial<PromptMessage>): Promise<void>;
  /** The first message from `after` on that fits; waits for it. */
  next(fits: (message: AgentMessage) => boolean, after?: number): Promise<AgentMessage>;
  /** End its input, and wait until it is gone. */
  finish(): Promise<{ code: number | null; stderr: string }>;
}

/** Start the agent as a host does; it ends with the test. */
export async function driveAgent(
  options: {
    /** Where it works, and its home; a new one unless given. Whoever gives one removes it. */
    folder?: string;
    args?: string[];
    env?: NodeJS.ProcessEnv;
    scenario?: string | ScenarioInput;
    onPermission?: ControlHandler;
  } = {},
): Promise<DrivenAgent> {
  const folder = options.folder ?? (await mkdtemp(join(tmpdir(), 'signalbox-agent-test-')));
  const model = await startScriptedModel({ scenario: options.scenario ?? 'puppet' });
  const transport = await spawnTransport({
    command: process.execPath,
    args: [
      AGENT,
      ...DRIVEN,
      ...(options.onPermission ? ['--permission-prompt-tool', 'stdio'] : []),
      ...(options.args ?? []),
    ],
    cwd: folder,
    env: { ...agentEnv(folder, model.url), ...options.env },
  });
  const messages: AgentMessage[] = [];
  const waiting = new Set<() => void>();
  const peer = new ControlPeer(transport, {
    onMessage: (line) => {
      messages.push(parseAgentMessage(line.json()));
      for (const look of waiting) look();
    },
  });
  if (options.onPermission) peer.handle('can_use_tool', options.onPermission);
  const reading = peer.run();
  onTestFinished(async () => {
    await transport.close();
    await model.close();
    if (options.folder === undefined) await rm(folder, { recursive: true, force: true });
  });
  return {
    folder,
    model,
    transport,
    peer,
    messages,
    say: (content, fields) =>
      peer.send({
        type: 'user',
        message: { role: 'user', content },
        parent_tool_use_id: null,
        session_id: '',
        ...fields,
      }),
    next: (fits, after = 0) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          const found = messages.slice(after).find(fits);
          if (!found) return;
          waiting.delete(look);
          resolve(found);
        };
        waiting.add(look);
        look();
        reading.then(
          () => reject(new Error(`The agent ended first: ${transport.stderrTail}`)),
          (error: unknown) => reject(error),
        );
      }),
    async finish() {
      await transport.endInput();
      await reading;
      const { code } = await transport.exited;
      return { code, stderr: transport.stderrTail };
    },
  };
}

/** Nothing of the developer's own environment reaches an agent under test. */
export function agentEnv(folder: string, modelUrl: string): NodeJS.ProcessEnv {
  const { PATH } = process.env;
  return { PATH, HOME: folder, ANTHROPIC_BASE_URL: modelUrl, ANTHROPIC_API_KEY: 'scripted' };
}

export function isResult(message: AgentMessage): boolean {
  return message.type === 'result';
}

import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startScriptedModel } from '@signalbox/model';
import { referenceEnv } from '@signalbox/testing/reference-cli';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import * as z from 'zod';
import { referencePrograms, referenceSdks } from '../../../conformance/references.ts';
import type { Sdk } from '../../../conformance/sdk.ts';
import {
  createSdkMcpServer,
  type HookCallback,
  type Options,
  query,
  type SDKMessage,
  tool,
} from '../src/index.ts';
import { prompt } from './fake-agent.ts';

const OURS = fileURLToPath(new URL('../../../dist/signalbox-agent.js', import.meta.url));
const INSTALL_TIMEOUT_MS = 600_000;
type Run = (call: { prompt: AsyncIterable<object>; options: Options }) => AsyncIterable<unknown>;

/** An agent, a folder to work in, and a model that does what it is told. */
async function stage(executable: string) {
  const folder = await mkdtemp(join(tmpdir(), 'signalbox-contract-'));
  const model = await startScriptedModel({ scenario: 'puppet' });
  onTestFinished(async () => {
    await model.close();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });
  const env = referenceEnv(folder, model.url);
  const options: Options = { pathToClaudeCodeExecutable: executable, cwd: folder, env };
  const plain: Options = { ...options, settingSources: [], permissionMode: 'default' };
  return { folder, model, options: plain };
}

/** Says one prompt after the other, each when the one before has its result. */
async function converse(run: Run, prompts: string[], options: Options, seen: unknown[]): Promise<void> {
  const turn: { over: () => void } = { over: () => {} };
  async function* conversation() {
    for (const text of prompts) {
      const over = new Promise<void>((resolve) => {
        turn.over = resolve;
      });
      yield prompt(text);
      await over;
    }
  }
  for await (const said of run({ prompt: conversation(), options })) {
    const message: SDKMessage = Object(said);
    seen.push(...essenceOf(message));
    if (message.type === 'result') turn.over();
  }
}

function essenceOf(message: SDKMessage): unknown[] {
  switch (message.type) {
    case 'assistant':
      return message.message.content.map((block) => (block.type === 'text' ? block.text : block.type));
    case 'user':
      return typeof message.message.content === 'string'
        ? []
        : message.message.content.map((block) => block.type);
    case 'result':
      return [{ subtype: message.subtype, result: 'result' in message ? message.result : undefined }];
    case 'system':
      return message.subtype === 'init' ? ['init'] : [];
    default:
      return [];
  }
}

/** A conversation with a refusal, a permission that changes the call, and hooks; and what its program saw. */
async function seenBy(run: Run, executable: string): Promise<unknown[]> {
  const { folder, options } = await stage(executable);
  const seen: unknown[] = [];
  const note: HookCallback = async (input) => {
    seen.push([input.hook_event_name, 'tool_name' in input ? input.tool_name : undefined]);
    return {};
  };
  const file = join(folder, 'note.txt');
  await converse(
    run,
    ['say hello', `write ${file} denied`, `write ${file} asked`],
    {
      ...options,
      hooks: { PreToolUse: [{ matcher: 'Write', hooks: [note] }] },
      canUseTool: async (toolName, input, { toolUseID }) => {
        seen.push([toolName, input['content'], typeof toolUseID]);
        if (input['content'] === 'denied') return { behavior: 'deny', message: 'not this one' };
        return { behavior: 'allow', updatedInput: { ...input, content: 'changed' } };
      },
    },
    seen,
  );
  seen.push(await readFile(file, 'utf8'));
  return JSON.parse(JSON.stringify(seen).replaceAll(folder, 'FOLDER'));
}

const ours: Run = ({ prompt: prompts, options }) => query({ prompt: Object(prompts), options });

let sdks: Sdk[] = [];
const agents: Record<string, string> = { 'signalbox-agent': OURS };

beforeAll(async () => {
  sdks = await referenceSdks(false);
  for (const { id, command } of await referencePrograms(false)) agents[`claude ${id}`] = command;
}, INSTALL_TIMEOUT_MS);

describe.each(['signalbox-agent', 'claude 2.1.37', 'claude 2.1.325'])('%s', (name) => {
  it('[SD34] a program sees the same through this SDK and the official ones', async () => {
    const executable = agents[name] ?? '';
    const seen = await seenBy(ours, executable);
    expect(seen.at(-1)).toBe('changed');
    expect(seen).toContainEqual(['Write', 'denied', 'string']);
    for (const sdk of sdks) {
      const run: Run = ({ prompt: prompts, options }) =>
        sdk.query({ prompt: Object(prompts), options: { ...options } });
      expect(await seenBy(run, executable), sdk.version).toEqual(seen);
    }
  });
});

describe.each(['claude 2.1.37', 'claude 2.1.325'])('%s', (name) => {
  it('[SD35] uses the tools of a server in this process', async () => {
    const { model, options } = await stage(agents[name] ?? '');
    const add = tool('add', 'adds', { a: z.number(), b: z.number() }, async ({ a, b }) => ({
      content: [{ type: 'text', text: String(a + b) }],
    }));
    const mcpServers = { sums: createSdkMcpServer({ name: 'sums', tools: [add] }) };
    const seen: unknown[] = [];
    const allowedTools = ['mcp__sums__add'];
    const systemPrompt = 'You add.';
    const prompts = ['say ready', 'call mcp__sums__add {"a":19,"b":23}'];
    await converse(ours, prompts, { ...options, mcpServers, allowedTools, systemPrompt }, seen);
    expect(seen.at(-1)).toEqual({ subtype: 'success', result: 'done: 42' });
    expect(JSON.stringify(model.requests.at(-1)?.body)).toContain(systemPrompt);
  });
});

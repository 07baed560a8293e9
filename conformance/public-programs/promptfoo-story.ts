import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { isJsonObject } from '@signalbox/protocol';
import { check } from '../check.ts';
import { runToEnd } from './run-to-end.ts';
import type { Scene, Story } from './story.ts';

/** The part of its database that is no JavaScript; npm calls it optional, together with 200 MB that are not needed. */
const DATABASE = `@libsql/${process.platform}-${process.arch}${process.platform === 'linux' ? '-gnu' : ''}@0.5.29`;

/** It imports the SDK that is installed in the person's project; this is the version that it names as optional. */
const SDK = '@anthropic-ai/claude-agent-sdk@0.3.263';

/** It neither reports to its makers nor asks them for anything. */
const QUIET = {
  PROMPTFOO_DISABLE_TELEMETRY: '1',
  PROMPTFOO_DISABLE_UPDATE: '1',
  PROMPTFOO_DISABLE_REMOTE_GENERATION: '1',
  PROMPTFOO_DISABLE_SHARING: '1',
};

/** A person who evaluates the agent: what it answers, writes, is refused and fails at. */
async function evaluation(scene: Scene): Promise<unknown> {
  const { stage, program, agent } = scene;
  await stage.write(stage.path('notes.txt'), 'one\n');
  await symlink(join(program.folder, 'node_modules'), stage.path('node_modules'));
  const provider = {
    id: 'anthropic:claude-agent-sdk',
    config: {
      path_to_claude_code_executable: agent,
      working_dir: stage.folder,
      permission_mode: 'acceptEdits',
      append_allowed_tools: ['Write'],
    },
  };
  const tests = [
    { vars: { task: 'say hello' }, assert: [{ type: 'equals', value: 'hello' }] },
    { vars: { task: 'say goodbye' }, assert: [{ type: 'equals', value: 'hello' }] },
    { vars: { task: `read ${stage.path('notes.txt')}` }, assert: [{ type: 'contains', value: 'done' }] },
    { vars: { task: `write ${stage.path('new.txt')} text` }, assert: [{ type: 'contains', value: 'done' }] },
    { vars: { task: 'run touch refused' } },
  ];
  const config = { description: 'the agent', prompts: ['{{task}}'], providers: [provider], tests };
  const file = await stage.write(stage.path('promptfooconfig.json'), JSON.stringify(config));
  const output = stage.path('results.json');
  const args = [program.path('dist/src/entrypoint.js'), 'eval', '-c', file, '-o', output];
  const options = ['--no-cache', '--no-table', '--no-progress-bar', '--no-share', '-j', '1'];
  const more = { ...QUIET, PROMPTFOO_CONFIG_DIR: stage.elsewhere('promptfoo') };
  const { code, stdout, stderr } = await runToEnd(scene, 'node', [...args, ...options], { more });
  const text = await stage.read(output);
  check(text !== undefined, `promptfoo ended with ${code}: ${stdout}${stderr}`);
  const told: unknown = JSON.parse(text, withoutMeasures);
  const results = isJsonObject(told) && isJsonObject(told.results) ? told.results : {};
  check(
    text.includes('"output": "hello"'),
    `promptfoo got ${JSON.stringify(results.results).slice(0, 1500)}`,
  );
  check((await stage.read(stage.path('new.txt'))) === 'text', 'it wrote nothing');
  check((await stage.read(stage.path('refused'))) === undefined, 'it ran what nobody allowed');
  return { code, stats: results.stats, results: results.results };
}

/** Times, ids that are made up for each evaluation, and the agent's last message, of which "Fields of the wire" has every field. */
function withoutMeasures(key: string, value: unknown): unknown {
  if (/^(?:id|evaluationId|duration_.*|.*(?:Ms|_ms))$/.test(key)) return undefined;
  return key === 'raw' && String(value).startsWith('{"') ? undefined : value;
}

export const promptfooStory: Story = {
  program: { name: 'promptfoo', version: '0.123.1', also: [DATABASE, SDK] },
  name: 'a person evaluates what the agent answers, writes and is refused',
  usesSdk: true,
  differences: {
    '.*\\.modelUsage\\.[^.]+\\.(thinkingTokens|cacheCreationEphemeral\\w+)':
      '`claude` fills in nothing and zero for what the API did not say',
    '.*\\.toolCalls\\.[^.]+\\.output': 'what a tool tells the model is in the words of each agent',
  },
  play: evaluation,
};

import type { JsonObject } from '@signalbox/protocol';
import { check, checkFits } from '../check.ts';
import { blocksOfType, isResult, kindOf, streamedText } from '../messages.ts';
import { promptId } from '../prompts.ts';
import type { Part } from '../scenario.ts';
import type { Sdk, SdkQuery } from '../sdk.ts';
import { listen, Prompts, type SdkScene, sdkScenarios } from '../sdk-scene.ts';

const HAIKU = 'claude-haiku-4-5-20251001';

function resultsOf(messages: readonly JsonObject[]): unknown[] {
  return messages.filter(isResult).map(({ result }) => result);
}

/** Two turns, and what is switched between them. */
async function playTwoTurns(
  start: SdkScene['start'],
  change: (query: SdkQuery) => Promise<unknown>,
  then: string,
): Promise<void> {
  const prompts = new Prompts();
  prompts.say('say one');
  const query = start(prompts);
  let turns = 0;
  await listen(query, async (message) => {
    if (!isResult(message)) return;
    turns += 1;
    if (turns > 1) return prompts.end();
    await change(query);
    prompts.say(then);
  });
}

const BEHAVIOURS: Record<string, (scene: SdkScene) => Promise<void>> = {
  'a plain prompt': async ({ ask }) => {
    const messages = await ask('say hello');
    checkFits(
      messages.map(kindOf).filter((kind) => /^(?:assistant|result|system\/init)/.test(kind)),
      ['system/init', 'assistant', 'result/success'],
    );
    checkFits(resultsOf(messages), ['hello']);
  },
  'streaming input, two turns': async ({ start }) => {
    const prompts = new Prompts();
    prompts.say('say one');
    const results: unknown[] = [];
    await listen(start(prompts), (message) => {
      if (!isResult(message)) return;
      if (results.push(message['result']) === 1) prompts.say('say two');
      else prompts.end();
    });
    checkFits(results, ['one', 'two']);
  },
  'a permission callback that allows': async ({ stage, start }) => {
    const prompts = new Prompts();
    prompts.say('run touch original');
    const asked: unknown[] = [];
    const canUseTool = (name: string, input: JsonObject) => {
      asked.push([name, input['command']]);
      return Promise.resolve({ behavior: 'allow', updatedInput: { ...input, command: 'touch changed' } });
    };
    await listen(start(prompts, { canUseTool }), (message) => isResult(message) && prompts.end());
    checkFits(asked, [['Bash', 'touch original']]);
    checkFits(
      [await stage.read(stage.path('changed')), await stage.read(stage.path('original'))],
      ['', undefined],
    );
  },
  'a permission callback that denies': async ({ start }) => {
    const prompts = new Prompts();
    prompts.say('run touch refused');
    const canUseTool = () => Promise.resolve({ behavior: 'deny', message: 'not today' });
    const messages = await listen(
      start(prompts, { canUseTool }),
      (message) => isResult(message) && prompts.end(),
    );
    checkFits(messages.find(isResult), { result: /not today/, permission_denials: [{ tool_name: 'Bash' }] });
  },
  'partial messages': async ({ ask }) => {
    const messages = await ask('say a few words', { includePartialMessages: true });
    checkFits(streamedText(messages), 'a few words', 'what the deltas say');
  },
  'structured output': async ({ ask }) => {
    const schema = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] };
    const messages = await ask('call StructuredOutput {"name":"zoe"}', {
      outputFormat: { type: 'json_schema', schema },
    });
    checkFits(messages.find(isResult), { structured_output: { name: 'zoe' } });
  },
  resume: async ({ stage, ask }) => {
    const first = (await ask('say one')).find(isResult);
    const again = await ask('say two', { resume: first?.['session_id'] });
    checkFits(again.find(isResult), { session_id: first?.['session_id'], result: 'two' });
    check(JSON.stringify(stage.lastRequest()['messages']).includes('say one'), 'it has forgotten');
  },
  fork: async ({ stage, ask }) => {
    const first = (await ask('say one')).find(isResult);
    const fork = (await ask('say two', { resume: first?.['session_id'], forkSession: true })).find(isResult);
    check(fork?.['session_id'] !== first?.['session_id'], 'it has the same id');
    check(JSON.stringify(stage.lastRequest()['messages']).includes('say one'), 'it has forgotten');
  },
  interrupt: async ({ start }) => {
    const prompts = new Prompts();
    prompts.say('slow 2000');
    const query = start(prompts, { includePartialMessages: true });
    let interrupted: Promise<unknown> | undefined;
    const messages = await listen(query, async (message) => {
      if (message['type'] === 'stream_event') interrupted ??= query.interrupt();
      if (!isResult(message)) return;
      await interrupted;
      if (message['subtype'] === 'success') prompts.end();
      else prompts.say('say still here');
    });
    checkFits(messages.filter(isResult), [{ subtype: 'error_during_execution' }, { result: 'still here' }]);
  },
  'a switch of the model': async ({ stage, start }) => {
    await playTwoTurns(start, (query) => query.setModel(HAIKU), 'say two');
    checkFits(stage.lastRequest(), { model: HAIKU });
  },
  'a switch of the mode': async ({ stage, start }) => {
    const switchMode = (query: SdkQuery) => query.setPermissionMode('acceptEdits');
    await playTwoTurns(start, switchMode, `write ${stage.path('a')} text`);
    checkFits(await stage.read(stage.path('a')), 'text');
  },
  rewind: async ({ stage, start }) => {
    const file = await stage.write(stage.path('f.txt'), 'one\n');
    const prompts = new Prompts();
    const uuid = promptId();
    prompts.say(`read ${file}`);
    const query = start(prompts, { enableFileCheckpointing: true, permissionMode: 'acceptEdits' });
    let turns = 0;
    let dryRun: unknown;
    await listen(query, async (message) => {
      if (!isResult(message)) return;
      turns += 1;
      if (turns === 1) return prompts.say(`edit ${file} one=>two`, uuid);
      checkFits(await stage.read(file), 'two\n', 'the edited file');
      dryRun = await query.rewindFiles(uuid, { dryRun: true });
      await query.rewindFiles(uuid);
      return prompts.end();
    });
    checkFits([dryRun, await stage.read(file)], [{ canRewind: true, filesChanged: [file] }, 'one\n']);
  },
  'settings, tools and system prompt as options': async ({ stage, ask }) => {
    const messages = await ask('run echo allowed', {
      allowedTools: ['Bash(echo:*)'],
      disallowedTools: ['Write'],
      systemPrompt: 'You are a parrot.',
      model: HAIKU,
      maxTurns: 5,
    });
    checkFits(blocksOfType(messages, 'tool_result'), [{ content: 'allowed' }]);
    checkFits(stage.lastRequest(), { model: HAIKU });
    check(JSON.stringify(stage.lastRequest()['system']).includes('parrot'), 'its system prompt is not used');
  },
};

/** Each version of the official SDK drives our agent, and the CLI it was published for. */
export function sdks(all: readonly Sdk[]): Part {
  return { title: 'Driven by the official TypeScript SDKs', scenarios: sdkScenarios(all, BEHAVIOURS) };
}

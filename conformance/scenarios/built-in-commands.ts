import { check, checkFits } from '../check.ts';
import { blocksOf, kindOf } from '../messages.ts';
import { UNASKED } from '../prompts.ts';
import type { Part } from '../scenario.ts';
import type { Stage } from '../stage.ts';

/** What of a compaction hosts go by. */
const COMPACTION = /^(?:system\/(?:status|init|compact_boundary)|user|result\/)/;

/** How often the model was asked for a reply; counting tokens is none. */
const replies = (stage: Stage) => stage.requests().filter(({ path }) => !path.includes('count')).length;

export const builtInCommands: Part = {
  title: 'Built-in commands and compaction',
  scenarios: [
    ...['cost', 'context'].map((name) => ({
      name: `/${name} answers without the model`,
      async play(stage: Stage) {
        const agent = await stage.start();
        await agent.turn('say hi');
        const before = replies(stage);
        const { messages, result } = await agent.turn(`/${name}`);
        checkFits(result, { subtype: 'success', is_error: false });
        const said = JSON.stringify([messages.map(blocksOf), result['result']]);
        check(/cost|token/i.test(said), `it says ${said.slice(0, 200)}`);
        checkFits(replies(stage), before, 'the number of replies');
      },
    })),
    {
      name: '/clear forgets the conversation, and goes on under another id',
      misses: { '2.1.37': 'has no such command here' },
      async play(stage) {
        const agent = await stage.start();
        const { result } = await agent.turn('say a secret');
        const { messages } = await agent.turn('/clear');
        check(
          messages.some(({ type }) => type === 'conversation_reset'),
          'the host is not told',
        );
        const after = await agent.turn('say hi');
        check(after.result['session_id'] !== result['session_id'], 'it has the same id');
        check(!stage.sent().includes('a secret'), 'it remembers');
      },
    },
    {
      name: '/init is a prompt for the model',
      async play(stage) {
        const agent = await stage.start();
        await agent.turn('/init');
        check(stage.sent().includes('CLAUDE.md'), 'the model is not asked');
      },
    },
    {
      name: '/compact: status, boundary, summary and an empty result, in this order',
      async play(stage) {
        const agent = await stage.start();
        await agent.turn('say hi');
        const { messages, result } = await agent.turn('/compact');
        const kinds = messages.map(kindOf).filter((kind) => COMPACTION.test(kind));
        checkFits(kinds, [
          'system/status',
          'system/status',
          'system/init',
          'system/compact_boundary',
          'user',
          'user',
          'result/success',
        ]);
        const boundary = messages.find((message) => kindOf(message) === 'system/compact_boundary');
        checkFits(boundary, { compact_metadata: { trigger: 'manual' } });
        checkFits(
          messages.filter((message) => kindOf(message) === 'system/status'),
          [{ status: 'compacting' }, { status: null }],
        );
        checkFits(result, { result: '', is_error: false });
      },
    },
    {
      name: '/compact: the conversation goes on from the summary, and the transcript keeps all',
      async play(stage) {
        const agent = await stage.start();
        for (const number of [1, 2, 3, 4]) await agent.turn(`say number ${number}`);
        const { result } = await agent.turn('/compact');
        checkFits((await agent.turn('say on')).result, { result: 'on' });
        check(stage.sent().includes('is being continued from'), 'the model has no summary');
        check(!stage.sent().includes('say number 1'), 'the model remembers all');
        await agent.finish();
        const folder = stage.folder.replaceAll(/[^a-zA-Z0-9]/g, '-');
        const text = await stage.read(
          stage.personal(`projects/${folder}/${String(result['session_id'])}.jsonl`),
        );
        check(text?.includes('say number 1') === true, 'the transcript has lost it');
        check(text.includes('"compact_boundary"'), 'the transcript has no boundary');
      },
    },
    {
      name: 'a conversation that is almost too long is compacted by itself, and the turn goes on',
      async play(stage) {
        const agent = await stage.start({ args: UNASKED });
        await stage.script(ALMOST_FULL);
        await agent.turn('first');
        const { messages, result } = await agent.turn('second');
        const boundary = messages.find((message) => kindOf(message) === 'system/compact_boundary');
        checkFits(boundary, { compact_metadata: { trigger: 'auto' } });
        checkFits(result, { subtype: 'success', result: 'heard' });
        check(stage.sent().includes('is being continued from'), 'the model has no summary');
      },
    },
    {
      name: 'DISABLE_AUTO_COMPACT leaves that to the person',
      async play(stage) {
        const agent = await stage.start({ env: { DISABLE_AUTO_COMPACT: '1' } });
        await stage.script(ALMOST_FULL);
        await agent.turn('first');
        const { messages } = await agent.turn('second');
        check(!messages.map(kindOf).includes('system/compact_boundary'), 'it is compacted');
      },
    },
  ],
};

/** A model whose first reply counts almost as many tokens as any model can take. */
const ALMOST_FULL = {
  name: 'almost full',
  turns: [
    {
      when: { user: 'first' },
      times: 1,
      say: ['heard'],
      usage: { input_tokens: 985_000, output_tokens: 10 },
    },
    { when: 'any' as const, say: ['heard'], usage: { input_tokens: 1000, output_tokens: 10 } },
  ],
};

import { check, checkFits } from '../check.ts';
import { HubScene, type WayIn } from '../hub-scene.ts';
import { blocksOfType, streamedText } from '../messages.ts';
import type { Part, Scenario } from '../scenario.ts';

const MISSES = {
  bridge: {},
  'sdk-url': { '2.1.325': 'dials approved addresses only' },
} as const satisfies Record<WayIn, Scenario['misses']>;

const nodeDies: Scenario = {
  name: 'by bridge, on two nodes: the one that leads is killed in mid-turn, and it goes on with the other one',
  async play(stage) {
    const scene = await HubScene.onNodes(stage);
    checkFits(await scene.turn('say before'), { result: 'before' });
    await scene.say('slow 400');
    await scene.waitFor(() => scene.previews().length > 5);
    await scene.kill();
    checkFits(await scene.result(2), { subtype: 'success' });
    await scene.say('run touch a');
    await scene.answer({ behavior: 'allow' });
    await scene.result(3);
    check(await stage.has('a'), 'it did not run');
    checkFits(await scene.turn('say on we go'), { result: 'on we go' });
    check(scene.isWhole(), 'the record was not told once and in order');
  },
};

/** The program in a session of the hub, driven by what people use: REST and the stream. */
export const hub: Part = {
  title: 'Through the hub (REST and stream)',
  scenarios: [...scenariosOf('bridge'), ...scenariosOf('sdk-url'), nodeDies],
};

function scenariosOf(wayIn: WayIn): Scenario[] {
  const misses = MISSES[wayIn];
  const name = (what: string) => `by ${wayIn === 'bridge' ? 'bridge' : '--sdk-url'}: ${what}`;
  return [
    {
      name: name('prompts are answered in order, streamed first and recorded once'),
      misses,
      async play(stage) {
        const scene = await HubScene.open(stage, wayIn);
        checkFits(await scene.turn('say one two three'), { subtype: 'success', result: 'one two three' });
        await Promise.all([scene.say('say four'), scene.say('say five')]);
        checkFits(await scene.result(3), { subtype: 'success' });
        checkFits(new Set(scene.results().map(({ result }) => result)).size, 3);
        check(streamedText(scene.previews()).includes('one two three'), 'nothing was streamed');
        check(scene.isWhole(), 'the record was not told once and in order');
      },
    },
    {
      name: name('what it asks is allowed, and then denied'),
      misses,
      async play(stage) {
        const scene = await HubScene.open(stage, wayIn);
        await scene.say('run touch a');
        checkFits((await scene.asked()).request, { tool_name: 'Bash', input: { command: 'touch a' } });
        await scene.answer({ behavior: 'allow' });
        await scene.result();
        check(await stage.has('a'), 'it did not run');
        await scene.say('run touch b');
        await scene.answer({ behavior: 'deny', message: 'not today' });
        await scene.result(2);
        check(!(await stage.has('b')), 'it ran');
        const denied = JSON.stringify(blocksOfType(scene.messages(), 'tool_result').at(-1));
        check(denied.includes('not today'), 'the model was not told why');
      },
    },
    {
      name: name('a turn is interrupted'),
      misses,
      async play(stage) {
        const scene = await HubScene.open(stage, wayIn);
        await scene.say('slow 2000');
        await scene.waitFor(() => scene.previews().length > 5);
        await scene.control({ subtype: 'interrupt' });
        await scene.result();
        checkFits(await scene.turn('say still here'), { result: 'still here' });
      },
    },
    {
      name: name('a question outlives the hub that is killed, and its answer arrives'),
      misses,
      async play(stage) {
        const scene = await HubScene.open(stage, wayIn);
        await scene.say('run touch a');
        const { requestId } = await scene.asked();
        await scene.restart();
        checkFits(await scene.asked(), { requestId });
        await scene.answer({ behavior: 'allow' });
        await scene.result();
        check(await stage.has('a'), 'it did not run');
        checkFits(await scene.turn('say on we go'), { result: 'on we go' });
        check(scene.isWhole(), 'the record was not told once and in order');
      },
    },
  ];
}

import { once } from 'node:events';
import { check } from '../check.ts';
import { ours } from '../program.ts';
import { RelayScene } from '../relay-scene.ts';
import type { Part } from '../scenario.ts';

const misses = { '2.1.325': 'dials approved addresses only' } as const;

/** A frontend that knows of a relay what the seed says, with the program and with ours beside it. */
export const relay: Part = {
  title: 'Over the open relay, beside a second agent',
  scenarios: [
    {
      name: 'prompts reach the agent that is meant, and its answers come back',
      misses,
      async play(stage) {
        const scene = await RelayScene.open(stage);
        await scene.start(stage.program);
        // The only one needs no name.
        const first = await scene.turn('say one', '', 'one');
        const { name } = await scene.start(ours);
        const second = await scene.turn('say two', name, 'two');
        check(first !== second, 'two agents have one session');
        check((await scene.turn('say three', first, 'three')) === first, 'another agent answered');
        check((await scene.turn('say four', second, 'four')) === second, 'another agent answered');
        scene.prompt('say five', '');
        await scene.find(({ text }) => String(text).startsWith('RELAY_SESSION_UNNAMED'));
        scene.prompt('say six', 'nobody');
        await scene.find(({ text }) => String(text).startsWith('RELAY_SESSION_UNKNOWN'));
        const said = JSON.stringify(scene.heard);
        check(!said.includes('"five"') && !said.includes('"six"'), 'what was for nobody was answered');
      },
    },
    {
      name: 'questions are answered by their id, in both shapes',
      misses,
      async play(stage) {
        const scene = await RelayScene.open(stage);
        const { name: first } = await scene.start(stage.program);
        const { name: second } = await scene.start(ours);
        scene.prompt('run touch a', first);
        scene.prompt('run touch b', second);
        const [a, b] = [await scene.asked('touch a'), await scene.asked('touch b')];
        scene.say({ type: 'control_response', request_id: a, permission: { allow: true } });
        const denial = { behavior: 'deny', message: 'not today' };
        scene.say({
          type: 'control_response',
          response: { subtype: 'success', request_id: b, response: denial },
        });
        const results = () => scene.heard.filter(({ type }) => type === 'result');
        await scene.find(() => results().length === 2);
        check(await stage.has('a'), 'what was allowed did not run');
        check(!(await stage.has('b')), 'what was denied ran');
      },
    },
    {
      name: 'both go on after the relay is killed, and one that starts anew is another session',
      misses,
      limitMs: 180_000,
      async play(stage) {
        const scene = await RelayScene.open(stage);
        const { child } = await scene.start(stage.program);
        const first = await scene.turn('say one', '', 'one');
        const { name } = await scene.start(ours);
        const second = await scene.turn('say two', name, 'two');
        await scene.restart(2);
        check((await scene.turn('say three', first, 'three')) === first, 'another agent answered');
        check((await scene.turn('say four', second, 'four')) === second, 'another agent answered');
        const { length } = scene.heard;
        child.kill('SIGTERM');
        await once(child, 'exit');
        await scene.find(({ text }) => text === 'claude code disconnected', length);
        // Nobody who goes silences another.
        check((await scene.turn('say five', second, 'five')) === second, 'another agent answered');
        const { name: fresh } = await scene.start(stage.program);
        const third = await scene.turn('say six', fresh, 'six');
        check(third !== first && third !== second, 'a new conversation has an old session');
        check((await scene.turn('say seven', second, 'seven')) === second, 'another agent answered');
      },
    },
  ],
};

import { setTimeout as pause } from 'node:timers/promises';
import { check, checkFits } from '../check.ts';
import { LOOK_MS } from '../hub-program.ts';
import { blocksOfType } from '../messages.ts';
import type { Part } from '../scenario.ts';
import { ViewScene } from '../view-scene.ts';

/** A conversation that goes from the hub to the program's own screen, and back. */
export const views: Part = {
  title: 'Launched by the hub',
  scenarios: [
    {
      name: 'a conversation goes on on its own screen, and comes back with what was said there',
      async play(stage) {
        const scene = await ViewScene.open(stage);
        await scene.say('say first');
        await scene.move('terminal');
        const screen = await scene.screen();
        await screen.shows('say first');
        await screen.say('say second');
        await scene.written('second');
        check(stage.sent().includes('say first'), 'the screen did not know what was said before');
        await scene.move('sdk');
        await scene.say('say third');
        check(stage.sent().includes('say second'), 'what was said in the terminal was forgotten');
        checkFits(await scene.said(), [
          '> say first',
          'first',
          '[terminal]',
          '> say second',
          'second',
          '[sdk]',
          '> say third',
          'third',
        ]);
      },
    },
    {
      name: 'a fork goes on from before a prompt, and the session stays as it is',
      async play(stage) {
        const scene = await ViewScene.open(stage);
        for (const words of ['first', 'second']) await scene.say(`say ${words}`);
        const fork = await scene.forkBefore('say second');
        await fork.say('say third');
        check(stage.sent().includes('say first'), 'it does not know what was said before');
        check(!stage.sent().includes('say second'), 'it knows what was said later');
        await scene.say('say fourth');
        check(stage.sent().includes('say second'), 'what was forked has forgotten something');
        check(!stage.sent().includes('say third'), 'what was forked knows of its fork');
      },
    },
    {
      name: 'another version takes over from the hub in the middle of a turn, whose files are gone by then',
      async play(stage) {
        const scene = await ViewScene.open(stage, { isEarlier: true });
        const shell = await scene.shell();
        await shell.say('kept=$((40+2)); echo ready-$kept');
        await shell.shows('ready-42');
        await scene.prompt('run touch begun; until [ -e go ]; do sleep 0.1; done; echo fin""ished');
        await scene.allow();
        while (!(await stage.has('begun'))) await pause(LOOK_MS);
        await scene.upgrade();
        await stage.write(stage.path('go'), '');
        const messages = await scene.turnEnded();
        check(stage.sent().includes('finished'), 'the model was not told what the command said');
        checkFits(blocksOfType(messages, 'tool_result').length, 1, 'the number of results of the tool');
        check(!messages.some(({ subtype }) => subtype === 'gap'), 'the record has a gap');
        await shell.say('echo still-$kept');
        await shell.shows('still-42');
        // What the process before has started can be ended and started again by this one.
        await scene.say('say on we go');
        await scene.move('terminal');
        await scene.move('sdk');
        await scene.say('say and back');
      },
    },
  ],
};

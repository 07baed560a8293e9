import { check, checkFits } from '../check.ts';
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
  ],
};

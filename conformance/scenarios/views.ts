import { check, checkFits } from '../check.ts';
import type { Part } from '../scenario.ts';
import { ViewScene } from '../view-scene.ts';

/** A conversation that goes from the hub to the program's own screen, and back. */
export const views: Part = {
  title: 'In a terminal and back',
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
  ],
};

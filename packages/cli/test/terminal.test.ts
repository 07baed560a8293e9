import { join } from 'node:path';
import { endTerminals } from '@signalbox/testing/hub/terminal-stage';
import { until } from '@signalbox/testing/hub/test-parts';
import { describe, expect, it, onTestFinished } from 'vitest';
import { HubStage } from './hub-stage.ts';

describe('signalbox terminal', () => {
  it('[CL1350] shows a shell of a session, is left with Ctrl+] twice, and ends as the shell does', async () => {
    const stage = await HubStage.start();
    const session = await stage.launch();
    onTestFinished(() => endTerminals(join(stage.home, 'data')));
    const pane = await stage.open('terminal');
    await pane.type('stty size; echo in-$((40+2))\n');
    await pane.see('in-42');
    expect(await pane.all()).toContain('30 100');
    // A program with a screen of its own is there again for one who comes back.
    await pane.type('seq 1 500 | less\n');
    await pane.see('\n28');
    await pane.press('C-]', 'C-]');
    await pane.see('exit code 0');
    expect(await pane.all()).toContain(`signalbox.js terminal ${session.slice(0, 8)}`);
    const again = await stage.open('terminal', session.slice(0, 8));
    await again.see('\n28');
    await again.type('G');
    await again.see('500');
    await again.type('q');
    await again.see('in-42');
    await again.type('exit 7\n');
    await again.see('The shell has ended with 7.');
    await again.see('exit code 7');
    expect((await stage.run('terminal', session, '--list')).stdout).toMatch(/^1 {2}exited /);
    expect(await stage.run('terminal', session, '--end', '1')).toMatchObject({ code: 0 });
    expect((await stage.run('terminal', session, '--list')).stdout).toBe('No terminals.\n');
    expect(await stage.run('terminal', session)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('terminal'),
    });
    expect(await stage.run('terminal', session, '--end', 'x')).toMatchObject({ code: 2 });
  });

  it('[CL3691] says in the title of its window that there is no connection, rings for keys that go nowhere, and takes it back', async () => {
    const stage = await HubStage.start();
    const session = await stage.launch();
    onTestFinished(() => endTerminals(join(stage.home, 'data')));
    const pane = await stage.open('terminal', session);
    await pane.type('echo in-$((40+2))\n');
    await pane.see('in-42');
    const title = await pane.title();
    await stage.killHub();
    await until(async () => (await pane.title()) === 'no connection to the hub, trying again …');
    expect(await pane.hasRung()).toBe(false);
    await pane.press('x');
    await until(() => pane.hasRung());
    await stage.startHub();
    await until(async () => (await pane.title()) === title);
    await pane.type('echo on-$((40+2))\n');
    await pane.see('on-42');
  });
});

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { endTerminals } from '@signalbox/testing/hub/terminal-stage';
import { describe, expect, it, onTestFinished } from 'vitest';
import { HubStage, SIGNALBOX } from './hub-stage.ts';

const AGENT = SIGNALBOX.replace('signalbox.js', 'signalbox-agent.js');

describe('signalbox run --agent NAME', () => {
  it('[CL1813] runs an agent that config.json defines; one with nothing but a screen is shown in this terminal', async () => {
    const stage = await HubStage.start();
    const data = join(stage.home, 'data');
    onTestFinished(() => endTerminals(data));
    await stage.killHub();
    const agents = {
      mine: { command: [process.execPath, AGENT] },
      screen: {
        command: ['sh', '-c', 'printf "word> "; read word; echo got-$word; exit 4'],
        mode: 'terminal',
      },
    };
    writeFileSync(join(data, 'config.json'), JSON.stringify({ agents }));
    await stage.startHub();
    expect(await stage.run('run', '--agent', 'mine', 'say hello')).toMatchObject({
      code: 0,
      stdout: 'hello\n',
    });
    expect(await stage.run('run', '--agent', 'nobody', 'x')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(
        'nobody is no agent of this hub; these are: claude, signalbox-agent, scripted',
      ),
    });
    expect(await stage.run('run', '--agent', 'mine')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Say what is to be done'),
    });
    expect((await stage.run('run', '--agent', 'screen', 'x')).stderr).toContain('it takes no prompt');
    expect((await stage.run('loop', '--agent', 'screen', 'x')).stderr).toContain('no loop can run it');
    const pane = await stage.open('run', '--agent', 'screen');
    await pane.see('word>');
    await pane.press('C-]', 'C-]');
    await pane.see('exit code 0');
    const again = await stage.open('terminal');
    await again.see('word>');
    await again.type('tree\n');
    await again.see('exit code 4');
    // Without a terminal it is said which session it is.
    const { code, stdout } = await stage.run('run', '--agent', 'screen', '--json');
    expect({ code, told: JSON.parse(stdout) }).toMatchObject({ code: 0, told: { terminal: 1 } });
  });
});

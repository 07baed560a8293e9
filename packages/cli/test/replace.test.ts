import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isJsonObject } from '@signalbox/protocol';
import { endTerminals } from '@signalbox/testing/hub/terminal-stage';
import { until } from '@signalbox/testing/hub/test-parts';
import { describe, expect, it, onTestFinished } from 'vitest';
import { HubStage } from './hub-stage.ts';

const promptsOn = (screen: string): number => screen.split('project#').length;

describe('signalbox up --replace', () => {
  it('[CL2000] takes over from a hub that runs, on its port: a turn, a terminal and those who watch go on', async () => {
    const stage = await HubStage.start();
    onTestFinished(() => endTerminals(join(stage.home, 'data')));
    const session = await stage.launch();
    const pane = await stage.open('terminal', session);
    await pane.type('kept=$((40+2)); echo ready-$kept\n');
    await pane.see('ready-42');
    const command = 'echo begun; until [ -e go ]; do sleep 0.1; done; echo fin""ished';
    const turn = await stage.open('run', '--yes', '--session', session, `run ${command}`);
    await turn.see('until');
    const before = stage.hubPid;
    // A wrong word ends nothing.
    expect((await stage.run('up', '--replace', '--port', 'x')).code).toBe(2);
    expect((await stage.run('up')).stdout).toContain(`(pid ${before})`);
    const output = await stage.replaceHub();
    expect(output).toContain(`ended the hub (pid ${before})`);
    expect(output).toContain(`signalbox is up at ${stage.url}\n`);
    expect(output).toContain('the first one exited with 0');
    expect(stage.hubPid).not.toBe(before);
    writeFileSync(join(stage.project, 'go'), '');
    await turn.see('finished');
    await turn.see('exit code 0');
    // Keys of the time without a connection go nowhere: a person presses one until the shell answers.
    const prompts = promptsOn(await pane.screen());
    await until(async () => {
      await pane.press('Enter');
      return promptsOn(await pane.screen()) > prompts;
    });
    await pane.type('echo still-$kept\n');
    await pane.see('still-42');
    const { entries } = await stage.api.events(session);
    const messages = entries.map(({ message }) => (isJsonObject(message) ? message : {}));
    expect(messages.filter(({ type }) => type === 'result')).toHaveLength(1);
    expect(messages.filter(({ subtype }) => subtype === 'gap')).toEqual([]);
    expect((await stage.api.session(session)).state).toBe('idle');
    await pane.press('C-]', 'C-]');
    await pane.see('exit code 0');
  });
});

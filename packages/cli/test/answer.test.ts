import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { PermissionRequest } from 'signalbox/hub';
import { describe, expect, it } from 'vitest';
import { HubStage } from './hub-stage.ts';

/** Agents that wait for an answer, in the order in which they asked. */
async function asking(stage: HubStage, ...prompts: string[]): Promise<PermissionRequest[]> {
  for (const [at, content] of prompts.entries()) {
    const session = await stage.launch(`task ${at + 1}`);
    await stage.api.prompt(session, { clientId: 'one', content });
    while ((await stage.api.permissions()).items.length <= at) await pause(50);
  }
  return (await stage.api.permissions()).items;
}

/** What an agent said last, once its turn has ended. */
async function lastWords(stage: HubStage, session: string): Promise<string> {
  for (;;) {
    const { entries } = await stage.api.events(session);
    const result = entries
      .map(({ message }) => JSON.stringify(message))
      .findLast((text) => text.includes('"type":"result"'));
    if (result !== undefined) return result;
    await pause(50);
  }
}

const QUESTION = {
  question: 'Which signal?',
  header: 'Signal',
  options: ['Red', 'Green'].map(option),
  multiSelect: false,
};

function option(label: string): { label: string; description: string } {
  return { label, description: `it is ${label}` };
}

const startHub = HubStage.ofFile();

describe('signalbox answer', () => {
  it('[CL1900] asks at a terminal about all that waits, one after the other, and shows what is asked for', async () => {
    const stage = await startHub();
    const [first, second] = await asking(stage, 'run touch one', 'run touch two');
    const pane = await stage.open('answer');
    await pane.see('Allow Bash?');
    expect(await pane.all()).toMatch(/task 1 · .*project · \w+ \(1 more\)[^]*touch one/);
    await pane.press('y', 'Enter');
    await pane.see('task 2');
    await pane.see('touch two');
    await expect.poll(() => pane.all()).toMatch(/touch two[^]*Allow Bash\?/);
    await pane.type('rather not');
    await pane.press('Enter');
    await pane.see('Nothing else waits.');
    await pane.see('exit code 0');
    await lastWords(stage, first?.session ?? '');
    expect(existsSync(join(stage.project, 'one'))).toBe(true);
    await lastWords(stage, second?.session ?? '');
    expect(existsSync(join(stage.project, 'two'))).toBe(false);
    const { entries } = await stage.api.events(second?.session ?? '');
    expect(JSON.stringify(entries)).toContain('rather not');
  });

  it('[CL1901] what somebody else answers meanwhile is said, and not asked any more; Ctrl-C leaves the rest', async () => {
    const stage = await startHub();
    const [first] = await asking(stage, 'run touch one', 'run touch two');
    const pane = await stage.open('answer');
    await pane.see('Allow Bash?');
    const ada = await stage.ada();
    await ada.answer(first?.session ?? '', first?.requestId ?? '', { behavior: 'allow' });
    await pane.see('answered by Ada on phone: allow');
    await pane.see('touch two');
    await expect.poll(() => pane.all()).toMatch(/touch two[^]*Allow Bash\?/);
    await pane.press('C-c');
    await pane.see('exit code 130');
    expect((await stage.api.permissions()).items).toHaveLength(1);
  });

  it('[CL1902] lists without a terminal, and answers one by the start of its id: allow, always, deny, say', async () => {
    const stage = await startHub();
    expect(await stage.run('answer')).toMatchObject({ code: 0, stdout: 'Nothing waits for an answer.\n' });
    const question = `call AskUserQuestion ${JSON.stringify({ questions: [QUESTION] })}`;
    const waiting = await asking(
      stage,
      'run touch one',
      'run touch two',
      'run touch three',
      question,
      question,
    );
    const table = (await stage.run('answer')).stdout;
    expect(table).toMatch(/^ID +ASKS FOR +SESSION +SINCE\n\S+ +Bash touch one +task 1 +\d+ s ago\n/);
    expect(table).toMatch(/AskUserQuestion Which signal\? +task 4/);
    expect(JSON.parse((await stage.run('answer', '--json')).stdout)).toEqual(waiting);
    const ids = table
      .trim()
      .split('\n')
      .slice(1)
      .map((line) => line.split(' ')[0] ?? '');
    const answer = (at: number, ...words: string[]) => stage.run('answer', ids[at] ?? '', ...words);
    for (const [at, words, problem] of [
      [0, [], 'Say the id of a request, and'],
      [0, ['perhaps'], 'Say the id of a request, and'],
      [0, ['allow', 'it'], 'allow takes no further words'],
      [0, ['say', 'yes'], 'say is for questions'],
      [3, ['allow'], 'answer it with say'],
      [3, ['say'], 'Say the name of an option'],
    ] as const)
      expect(await answer(at, ...words)).toMatchObject({ code: 2, stderr: expect.stringContaining(problem) });
    expect(await answer(0, 'allow')).toMatchObject({ code: 0, stdout: 'allowed: Bash touch one\n' });
    expect(await answer(1, 'deny', 'not', 'now')).toMatchObject({
      code: 0,
      stdout: 'denied: Bash touch two\n',
    });
    expect(await answer(2, 'always')).toMatchObject({ code: 0 });
    expect(await answer(3, 'say', 'green')).toMatchObject({ code: 0 });
    expect(await answer(4, 'say', 'neither of them')).toMatchObject({ code: 0 });
    expect(await answer(0, 'allow')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('Nothing that waits'),
    });
    const said = await Promise.all(waiting.map(({ session }) => lastWords(stage, session)));
    expect(['one', 'two', 'three'].map((name) => existsSync(join(stage.project, name)))).toEqual([
      true,
      false,
      true,
    ]);
    expect(said[3]).toContain('Green');
    expect(said[4]).toContain('neither of them');
  });
});

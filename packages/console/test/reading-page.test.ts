import type { Author } from '@signalbox/protocol/hub';
import { until } from '@signalbox/testing/hub/test-parts';
import type { Browser } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { hasProgram } from '../../../scripts/system-tools.js';
import { ConsoleStage, sharedBrowser } from './console-stage.ts';
import { ADA, AGENT, answered, call, prompt, said, text } from './sample.ts';
import { showRecord } from './show-record.ts';

type Lines = readonly (readonly [Author, unknown])[];

const withResult = (message: unknown, tool_use_result: unknown): unknown => ({
  ...Object(message),
  tool_use_result,
});

const WHICH = {
  question: 'Which?',
  options: [{ label: 'The first', description: 'is shorter' }, { label: 'The second' }],
};

describe.runIf(hasProgram('chromium-headless-shell'))('what is read', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await sharedBrowser();
  });

  it('[CO1208] code has its language, its colours and a button, and HTML of an agent stays text', async () => {
    const reply =
      '```ts\nconst a = 1; // one\n```\n\n<img src=x onerror="document.title=1"><script>document.title=2</script>';
    const { page } = await showRecord(browser, { lines: [[AGENT, said(text(reply))]], title: 'safe' });
    const log = page.getByRole('log');
    await log.locator('.code-keyword', { hasText: 'const' }).waitFor();
    await log.locator('.code-comment', { hasText: '// one' }).waitFor();
    await log.getByText('TypeScript', { exact: true }).waitFor();
    expect(await log.locator('.code-block pre').textContent()).toBe('const a = 1; // one');
    expect(await log.locator('script, img').count()).toBe(0);
    expect(await log.textContent()).toContain('<script>document.title=2</script>');
    expect(await page.title()).toContain('safe');
  });

  it('[CO1208] code takes its colours while it is being written', async () => {
    const stage = await ConsoleStage.open(browser);
    await stage.launchPuppet();
    await stage.turn('say ```ts\nconst a = 1;\nconst b = 2;\n```');
    await stage.transcript.locator('.code-keyword').nth(1).waitFor();
  });

  it('[CO1203][CO1204][CO2033][CO3779][CO3855] calls are shown by what matters: reads as one row, output in a few lines, changes at once', async () => {
    const file = {
      filePath: '/x/a.py',
      content: 'def a():\n  return 1',
      numLines: 2,
      startLine: 5,
      totalLines: 9,
    };
    const lines: Lines = [
      [AGENT, said(call('r1', 'Read', { file_path: '/x/a.py' }), 'm1')],
      [AGENT, withResult(answered('r1', 'x'), { type: 'text', file })],
      [AGENT, said(call('r2', 'Read', { file_path: '/x/b.py' }), 'm2')],
      [AGENT, answered('r2', '5\tdef b')],
      [AGENT, said(call('b1', 'Bash', { command: 'npm test' }), 'm3')],
      [AGENT, answered('b1', `${'\x1b[32m✓\x1b[0m fine\n'.repeat(30)}\x1b[1mall green\x1b[0m`)],
      [
        AGENT,
        said(
          call('e1', 'Edit', { file_path: '/x/a.py', old_string: 'return 1', new_string: 'return 2' }),
          'm7',
        ),
      ],
      [AGENT, answered('e1', 'ok')],
      [AGENT, said(call('n1', 'NotebookEdit', { cell_id: 'c7', new_source: 'import os' }), 'm8')],
      [AGENT, answered('n1', 'ok')],
      [AGENT, said(call('q1', 'AskUserQuestion', { questions: [WHICH] }), 'm4')],
      [AGENT, withResult(answered('q1', 'x'), { answers: { 'Which?': 'The second' } })],
      [AGENT, said(call('t1', 'Task', { description: 'Look', prompt: 'Look around' }), 'm5')],
      [AGENT, said(text('I found it'), 'm6', 't1')],
      [AGENT, answered('t1', 'I found it')],
    ];
    const { page } = await showRecord(browser, { lines });
    const log = page.getByRole('log');
    // [CO3779] A cell of a notebook is there as it became, in its colours.
    await log.getByText('c7', { exact: false }).first().waitFor();
    await log.locator('.code-keyword', { hasText: 'import' }).waitFor();
    const run = log.getByRole('button', { name: /^Read 2 files/ });
    await run.click();
    await log.getByRole('button', { name: /^Read \/x\/a.py 2 lines/ }).click();
    await log.locator('.code-keyword', { hasText: 'def' }).waitFor();
    expect(await log.locator('.line-numbers').textContent()).toBe('5\n6');
    const peek = log.locator('.peek').first();
    expect(await peek.textContent()).toBe('… 28 more lines\n✓ fine\n✓ fine\nall green');
    expect(await peek.locator('.ansi-green').count()).toBe(2);
    await log.locator('.diff-line[data-sign="+"] .code-keyword', { hasText: 'return' }).waitFor();
    await log.getByText('The second').waitFor();
    // [CO3855] Opened, it has what could be chosen, and which of it was.
    await log.getByRole('button', { name: 'Question Which?' }).click();
    expect(await log.locator('.asked-options li').allTextContents()).toEqual([
      'The first is shorter',
      'The second ',
    ]);
    expect(await log.locator('.asked-options [data-chosen=true]').textContent()).toBe('The second ');
    expect(await log.getByText('The second').count()).toBe(1);
    // The report of a sub-agent is in sight, and said once when its work is opened.
    expect(await log.getByText('I found it').count()).toBe(1);
    await log.getByRole('button', { name: 'What it did' }).click();
    await log.locator('.children').getByText('I found it').waitFor();
  });

  it('[CO1207] a link leads to its message, anywhere in the record, and a message is taken along as Markdown', async () => {
    const lines = Array.from({ length: 1500 }, (_, index): [Author, unknown] =>
      index % 2 === 0
        ? [ADA, prompt(`Question ${index + 1}.`)]
        : [AGENT, said(text(`**Answer** ${index + 1}.`), `m${index}`)],
    );
    const { page, session } = await showRecord(browser, {
      lines,
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    const log = page.getByRole('log');
    await log.getByText('Answer 1500.').waitFor();
    await page.evaluate("location.hash = '#302'");
    const row = log.locator('.reply', { hasText: 'Answer 302.' });
    await until(() => row.evaluate((element) => element === element.ownerDocument.activeElement));
    const isInSight = (): Promise<boolean> =>
      row.evaluate((element) => {
        const { y } = element.getBoundingClientRect();
        const { innerHeight = 0 } = element.ownerDocument.defaultView ?? {};
        return y > 60 && y < innerHeight - 60;
      });
    await until(isInSight);
    await row.hover();
    await row.getByRole('button', { name: 'Copy as Markdown' }).click();
    await until(async () => (await page.evaluate('navigator.clipboard.readText()')) === '**Answer** 302.');
    await row.getByRole('button', { name: 'Copy the link' }).click();
    const address = `${new URL(page.url()).origin}/sessions/${session}#302`;
    await until(async () => (await page.evaluate('navigator.clipboard.readText()')) === address);
    // What is below is read on, and the way back to the end is there.
    await page.getByRole('button', { name: 'To the end' }).click();
    await log.getByText('Answer 1500.').waitFor();
    // The same address in another tab.
    const other = await page.context().newPage();
    await other.goto(address);
    await other.getByRole('log').locator('.linked', { hasText: 'Answer 302.' }).waitFor();
  });
});

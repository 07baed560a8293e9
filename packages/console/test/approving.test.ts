import type { JsonObject } from '@signalbox/protocol';
import { until } from '@signalbox/testing/hub/test-parts';
import type { Browser, Locator } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { hasProgram } from '../../../scripts/system-tools.js';
import type { Store } from '../../hub/src/store/store.ts';
import { ConsoleStage, sharedBrowser } from './console-stage.ts';
import { showRecord } from './show-record.ts';

const RULE = {
  type: 'addRules',
  rules: [{ toolName: 'Bash', ruleContent: 'npm test:*' }],
  behavior: 'allow',
  destination: 'localSettings',
};
const MODE = { type: 'setMode', mode: 'acceptEdits', destination: 'session' };

/** A desk, and a phone: upright, on its side, and with its keyboard open. */
const SIZES = [
  [1280, 800],
  [375, 667],
  [667, 375],
  [375, 340],
] as const;

function bash(command: string, more: JsonObject = {}, request: JsonObject = {}): JsonObject {
  return {
    subtype: 'can_use_tool',
    tool_name: 'Bash',
    input: { command, description: 'Clean up a little', ...more },
    permission_suggestions: [RULE],
    ...request,
  };
}

describe.runIf(hasProgram('chromium-headless-shell'))('approving', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await sharedBrowser();
  });

  const stateOf = async (store: Store, request: string) =>
    (await store.permissions.get('s', request))?.state ?? 'unknown';

  it.each(SIZES)('[CO240] at %d × %d the command is seen before it can be allowed', async (width, height) => {
    const lines = Array.from({ length: 60 }, (_, at) => `echo line ${at}`);
    const command = ['rm -rf build', ...lines, 'echo the end'].join('\n');
    const { page, store } = await showRecord(browser, {
      asks: [bash(command), bash('ls'), bash('pwd')],
      viewport: { width, height },
    });
    const card = page.getByRole('article', { name: 'Allow Bash?' });
    await card.getByText('rm -rf build').waitFor();
    expect(await page.getByRole('article').count()).toBe(1);
    const allow = card.getByRole('button', { name: 'Read to the end to allow' });
    await allow.waitFor();
    expect(await allow.isDisabled()).toBe(true);
    expect(await card.getByRole('button', { name: 'Allow', exact: true }).count()).toBe(0);
    expect(await card.getByRole('button', { name: 'Allow always' }).count()).toBe(0);

    // The first line is in sight, and nothing lies over what can be seen of it.
    expect(await seenAtTop(card)).toMatch(/^code command: rm -rf build/);
    const body = await boxOf(card.locator('.card-body'));
    expect(body.height).toBeGreaterThan(50);
    for (const button of await page.getByRole('button').filter({ visible: true }).all()) {
      const box = await boxOf(button);
      const isApart = box.y >= body.y + body.height - 1 || box.y + box.height <= body.y + 1;
      expect(isApart || box.x + box.width <= body.x || box.x >= body.x + body.width).toBe(true);
      expect(box.y + box.height).toBeLessThanOrEqual(height);
    }
    await card.locator('.card-body').press('End');
    await card.getByRole('button', { name: 'Allow', exact: true }).click();
    await until(async () => (await stateOf(store, 'r1')) === 'answered');
    await card.getByText('ls', { exact: true }).waitFor();
    expect(await card.getByRole('button', { name: 'Allow', exact: true }).count()).toBe(1);
  });

  it('[CO241] what is too long is read on by keyboard alone, and then allowed', async () => {
    const command = `${'echo again\n'.repeat(80)}echo the end`;
    const { page, store } = await showRecord(browser, {
      asks: [bash(command)],
      viewport: { width: 375, height: 340 },
    });
    const more = page.getByRole('button', { name: 'Read on' });
    await more.focus();
    const allow = page.getByRole('button', { name: 'Allow', exact: true });
    for (let pages = 0; pages < 60 && (await allow.count()) === 0; pages += 1)
      await page.keyboard.press('Enter');
    await allow.waitFor();
    while ((await more.count()) > 0) await page.keyboard.press('Enter');
    // The key that read on must not allow: the focus is on what was read.
    expect(await page.locator(':focus').getAttribute('aria-label')).toBe('What is asked, in full');
    expect(await stateOf(store, 'r1')).toBe('open');
    await page.keyboard.press('Tab');
    while ((await page.locator(':focus').textContent()) !== 'Allow') await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await until(async () => (await stateOf(store, 'r1')) === 'answered');
  });

  it.each([
    [667, 375],
    [375, 340],
  ])('[CO490] at %d × %d a card says that there is more below, and leads there', async (width, height) => {
    const options = ['Tabs', 'Spaces', 'Both', 'Neither'].map((label) => ({
      label,
      description: 'it is said',
    }));
    const { page } = await showRecord(browser, {
      asks: [
        bash('npm test', {}, { permission_suggestions: [RULE, MODE] }),
        {
          subtype: 'can_use_tool',
          tool_name: 'AskUserQuestion',
          input: { questions: [{ question: 'Which?', header: 'Indent', options, multiSelect: false }] },
        },
      ],
      viewport: { width, height },
    });
    const more = page.getByRole('button', { name: 'Read on' });
    await more.waitFor();
    const rows = new Set<number>();
    for (const button of await page.locator('.card-foot').first().getByRole('button').all())
      rows.add(Math.round((await boxOf(button)).y));
    expect([...rows]).toHaveLength(1);
    const last = page.getByRole('checkbox').last();
    expect(await isInSight(last)).toBe(false);
    await readOnTo(last);
    // Whoever scrolls back up is told again.
    await page.locator('.card-body').first().press('Home');
    await more.waitFor();
    await page.getByRole('button', { name: 'Next' }).click();
    const own = page.getByPlaceholder('In your own words');
    await own.waitFor({ state: 'attached' });
    await more.waitFor();
    await readOnTo(own);
  });

  it('[CO780] what an agent asks with very many parts is drawn in part, or in one piece, and nothing that is judged is left out', async () => {
    const many = <Item>(length: number, item: (at: number) => Item): Item[] =>
      Array.from({ length }, (_, at) => item(at));
    const rule = (at: number) => ({
      type: 'addRules',
      rules: [{ toolName: 'Bash', ruleContent: `x${at}` }],
      behavior: 'allow',
      destination: 'session',
    });
    const tool = (name: string, input: object, more = {}) => ({
      subtype: 'can_use_tool',
      tool_name: name,
      input: { ...input },
      ...more,
    });
    const option = (at: number) => ({ label: `option ${at}`, description: '' });
    const question = (at: number) => ({ question: `Q${at}`, options: many(2, option) });
    const properties = Object.fromEntries(many(1500, (at) => [`f${at}`, { type: 'string' }]));
    const { page } = await showRecord(browser, {
      asks: [
        tool('Write', { file_path: '/a', content: many(60_000, (at) => `row ${at}`).join('\n') }),
        tool('MultiEdit', { edits: many(1000, (at) => ({ old_string: `o${at}`, new_string: 'n' })) }),
        tool('mcp__a__b', Object.fromEntries(many(2000, (at) => [`field${at}`, at]))),
        tool('Bash', { command: 'ls' }, { permission_suggestions: many(1000, rule) }),
        tool('AskUserQuestion', { questions: [{ question: 'Which?', options: many(3000, option) }] }),
        tool('AskUserQuestion', { questions: many(1000, question) }),
        { subtype: 'elicitation', message: 'm', requested_schema: { type: 'object', properties } },
      ],
    });
    const card = page.locator('.ask-slot:not([hidden]) .card');
    const next = async (words: string): Promise<string> => {
      await page.getByRole('button', { name: 'Next' }).click();
      await card.getByText(words).first().waitFor();
      expect(await card.locator('*').count()).toBeLessThan(7000);
      return (await card.textContent()) ?? '';
    };
    await card.getByText('row 0').first().waitFor();
    expect(await card.locator('*').count()).toBeLessThan(7000);
    expect(await card.textContent()).toContain('row 59999');
    expect(await next('800 more edits')).toContain('"o999"');
    expect(await next('1800 more')).toContain('"field1999"');
    await next('800 more are not offered here');
    // And the rule that the hub itself would keep.
    await until(async () => (await card.getByRole('checkbox').count()) === 201);
    await next('2000 more options are not shown');
    await next('more than a page can show');
    await next('This form has 1500 fields');
    expect(await card.getByRole('button', { name: 'Answer' }).count()).toBe(0);
  });

  it('[CO242] all of the input is there, the command first, and the words of the agent are called so', async () => {
    const written = Array.from({ length: 900 }, (_, at) => `row ${at}`).join('\n');
    const { page } = await showRecord(browser, {
      asks: [
        bash('rm -rf /tmp/\u202ex', {
          dangerouslyDisableSandbox: true,
          run_in_background: true,
          timeout: 600_000,
          brand_new: { field: 'unheard of' },
        }),
        {
          subtype: 'can_use_tool',
          tool_name: 'Edit',
          input: { file_path: '/a/b', old_string: 'x', new_string: 'y', replace_all: true },
        },
        { subtype: 'can_use_tool', tool_name: 'Write', input: { file_path: '/a/c', content: written } },
        {
          subtype: 'can_use_tool',
          tool_name: 'MultiEdit',
          input: {
            file_path: '/a/d',
            edits: [{ old_string: 'o', new_string: 'n', replace_all: true, odd: 'edit field' }],
          },
        },
      ],
    });
    const body = page.locator('.ask-slot:not([hidden]) .card-body');
    const text = async (): Promise<string> => (await body.textContent()) ?? '';
    expect(await text()).toMatch(/^rm -rf \/tmp\/\\u202ex/);
    for (const part of ['dangerouslyDisableSandbox', 'run_in_background', 'timeout600000', 'unheard of'])
      expect(await text()).toContain(part);
    await body.getByText('The agent says:').waitFor();
    expect((await text()).indexOf('Clean up a little')).toBeGreaterThan((await text()).indexOf('timeout'));
    await page.getByRole('button', { name: 'Next' }).click();
    await page.getByRole('article', { name: 'Allow Edit?' }).waitFor();
    expect(await text()).toContain('replace_alltrue');
    await page.getByRole('button', { name: 'Next' }).click();
    await page.getByRole('article', { name: 'Allow Write?' }).waitFor();
    await page.getByText('3 of 4').waitFor();
    expect(await text()).toContain('row 0');
    expect(await text()).toContain('row 899');
    await page.getByRole('button', { name: 'Next' }).click();
    await page.getByRole('article', { name: 'Allow MultiEdit?' }).waitFor();
    expect(await text()).toContain('edit field');
    expect(await text()).toContain('replace_all');
    // What was done on a card is there when one comes back to it.
    await page.getByRole('button', { name: 'Deny …' }).click();
    await page.getByLabel('What shall it do instead?').fill('Nothing at all');
    await page.getByRole('button', { name: 'Previous' }).click();
    await page.getByText('3 of 4').waitFor();
    await page.getByRole('button', { name: 'Next' }).click();
    expect(await page.getByLabel('What shall it do instead?').inputValue()).toBe('Nothing at all');
  });

  it('[CO243] a double click answers once: a card that has just come takes no press meant for another', async () => {
    const { page, store } = await showRecord(browser, { asks: [bash('one'), bash('two'), bash('three')] });
    const allow = page.getByRole('button', { name: 'Allow', exact: true });
    await allow.waitFor();
    await until(() => allow.isEnabled());
    await allow.dblclick();
    await page.getByText('two', { exact: true }).waitFor();
    expect(await stateOf(store, 'r2')).toBe('open');

    // The same with its second half when the next card is there already, however long that takes.
    await until(() => allow.isEnabled());
    const { x, y, width, height } = await boxOf(allow);
    await page.mouse.move(x + width / 2, y + height / 2);
    await page.mouse.down();
    await page.mouse.up();
    await page.getByText('three', { exact: true }).waitFor();
    await until(() => allow.isEnabled());
    await page.mouse.down({ clickCount: 2 });
    await page.mouse.up({ clickCount: 2 });
    expect(await stateOf(store, 'r3')).toBe('open');
    // What follows is a press of its own.
    await allow.click();
    await until(async () => (await stateOf(store, 'r3')) === 'answered');
    expect(await stateOf(store, 'r2')).toBe('answered');
  });

  it('[CO243] a press that began before the card was ready does not count', async () => {
    const { page, store } = await showRecord(browser, { asks: [bash('one'), bash('two')] });
    const allow = page.getByRole('button', { name: 'Allow', exact: true });
    await until(() => allow.isEnabled());
    const { x, y, width, height } = await boxOf(allow);
    // The card's moment is over when the test says so: a busy machine would press after it.
    await page.clock.install({ time: 0 });
    await page.clock.pauseAt(1000);
    await page.getByRole('button', { name: 'Next' }).click();
    await page.getByText('two', { exact: true }).waitFor();
    await page.mouse.move(x + width / 2, y + height / 2);
    await page.mouse.down();
    expect(await allow.isEnabled()).toBe(false);
    await page.clock.runFor(1000);
    await until(() => allow.isEnabled());
    await page.mouse.up();
    await page.clock.resume();
    await allow.focus();
    await page.keyboard.press('Shift+Tab');
    expect(await stateOf(store, 'r2')).toBe('open');
    await allow.click();
    await until(async () => (await stateOf(store, 'r2')) === 'answered');
    expect(await stateOf(store, 'r1')).toBe('open');
  });

  it('[CO244] each suggestion is shown by itself, and can be left out', async () => {
    const folder = { type: 'addDirectories', directories: ['/srv/data'], destination: 'session' };
    const asked = bash('npm test -- all', {}, { permission_suggestions: [RULE, folder, MODE] });
    const { page, store } = await showRecord(browser, { asks: [asked, asked] });
    const card = page.getByRole('article');
    const rule = card.getByRole('checkbox', { name: 'allow Bash(npm test:*) in this folder, for you' });
    const data = card.getByRole('checkbox', { name: 'work in /srv/data for this session' });
    const mode = card.getByRole('checkbox', { name: 'accept all edits for this session' });
    expect(await rule.isChecked()).toBe(true);
    expect(await data.isChecked()).toBe(true);
    expect(await mode.isChecked()).toBe(false);
    await data.uncheck();
    const always = page.getByRole('button', { name: 'Allow always' });
    await rule.uncheck();
    expect(await always.isDisabled()).toBe(true);
    await rule.check();
    await always.click();
    const answered = await until(async () => (await store.permissions.get('s', 'r1'))?.answer);
    expect(answered.response).toMatchObject({ behavior: 'allow', updatedPermissions: [RULE] });
  });

  it('[CO244] what “Allow always” would keep is seen before it is kept', async () => {
    const { page, store } = await showRecord(browser, {
      asks: [bash('npm test', {}, { permission_suggestions: [RULE, MODE] })],
      viewport: { width: 375, height: 340 },
    });
    await page.getByRole('button', { name: 'Allow always …' }).click();
    await page.getByRole('button', { name: 'Allow always', exact: true }).waitFor();
    expect(await stateOf(store, 'r1')).toBe('open');
    await page.getByRole('button', { name: 'Allow always', exact: true }).click();
    const answered = await until(async () => (await store.permissions.get('s', 'r1'))?.answer);
    expect(answered.response.updatedPermissions).toEqual([RULE]);
  });

  it('[CO246] the mode that an answer leads to is shown at once, and who allowed as who denied', async () => {
    const stage = await ConsoleStage.open(browser);
    const { page } = stage;
    await stage.launchPuppet();
    await stage.say(`write ${stage.home}/a.txt hello`);
    const mode = page.getByLabel('Permission mode');
    expect(await mode.inputValue()).toBe('default');
    await page.getByRole('checkbox', { name: 'accept all edits for this session' }).waitFor();
    await stage.click('Allow always');
    await until(async () => (await mode.inputValue()) === 'acceptEdits');
    await stage.isIdle();
    expect(await stage.transcript.getByText(/^allowed by /).count()).toBe(1);
    await stage.turn(`write ${stage.home}/b.txt hello`);
    // Nobody was asked, and so nobody has allowed it.
    expect(await stage.transcript.getByText(/^allowed by /).count()).toBe(1);
  });

  it('[CO245] calls of one tool are answered together, after all of them were shown', async () => {
    const asks = Array.from({ length: 8 }, (_, at) => bash(`touch file-${at}`));
    const question = {
      subtype: 'can_use_tool',
      tool_name: 'WebFetch',
      input: { url: 'https://example.com' },
    };
    const { page, store } = await showRecord(browser, {
      asks: [...asks.slice(0, 4), question, ...asks.slice(4)],
      viewport: { width: 667, height: 375 },
    });
    await page.getByText('1 of 9').waitFor();
    await page.getByRole('button', { name: 'See all 8' }).click();
    const card = page.getByRole('article', { name: 'Allow all 8 calls of Bash?' });
    await card.getByRole('button', { name: 'Read to the end to allow' }).waitFor();
    for (let at = 0; at < 8; at += 1) expect(await card.getByText(`touch file-${at}`).count()).toBe(1);
    await card.getByText('touch file-7').scrollIntoViewIfNeeded();
    await card.locator('.card-body').press('End');
    await card.getByRole('button', { name: 'Allow all 8' }).click();
    await page.getByRole('article', { name: 'Allow Fetch?' }).waitFor();
    // The page shows the next one before the hub has stored the last answer.
    const states = () => Promise.all(Array.from({ length: 9 }, (_, at) => stateOf(store, `r${at + 1}`)));
    await until(async () => (await states()).filter((state) => state === 'answered').length === 8);
    expect((await states())[4]).toBe('open');
    const { items } = await store.audit.list({});
    const answers = items.filter(({ subject, what }) => what === 'allow' && subject?.startsWith('r'));
    expect(answers).toHaveLength(8);
  });
});

async function boxOf(locator: Locator): Promise<{ x: number; y: number; width: number; height: number }> {
  const box = await locator.boundingBox();
  if (!box) throw new Error('It is not shown.');
  return box;
}

/** Whether all of it is within the part of its card that can be seen. */
async function isInSight(field: Locator): Promise<boolean> {
  const box = await boxOf(field);
  const body = await boxOf(field.page().locator('.ask-slot:not([hidden]) .card-body'));
  return box.y >= body.y - 1 && box.y + box.height <= body.y + body.height + 1;
}

/** Press the arrow as long as it is there. */
async function readOnTo(field: Locator): Promise<void> {
  const more = field.page().getByRole('button', { name: 'Read on' });
  await until(async () => {
    for (const button of await more.elementHandles()) await button.dispatchEvent('click');
    return (await isInSight(field)) && (await more.count()) === 0;
  });
}

/** The class and the text of what is really on the screen where the command begins, and not below something else. */
async function seenAtTop(card: Locator): Promise<unknown> {
  const { x, y } = await boxOf(card.locator('.command'));
  const found = `document.elementFromPoint(${x + 30}, ${y + 18})`;
  return card.page().evaluate(`${found}.className + ': ' + ${found}.textContent`);
}

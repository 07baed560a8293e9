import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { TestAgent } from '@signalbox/testing/hub/test-agent';
import { call, until } from '@signalbox/testing/hub/test-parts';
import type { Browser } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { hasProgram } from '../../../scripts/system-tools.js';
import { violationsOn } from './axe.ts';
import { ConsoleStage, sharedBrowser } from './console-stage.ts';

const PHONE = { width: 375, height: 720 };

describe.runIf(hasProgram('chromium-headless-shell'))('rules of the hub', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await sharedBrowser();
  });

  it('[CO1749] “Allow always” can keep a rule in the hub, said beside what the agent would keep: the next call is not asked about', async () => {
    const stage = await ConsoleStage.open(browser);
    const { page, hub, home } = stage;
    await stage.launchPuppet();
    await stage.say('run touch one');
    const card = page.getByRole('article', { name: 'Allow Bash?' });
    const option = card.getByLabel(/keep the rule Bash\(touch one\) in this hub/);
    await option.check();
    expect(await violationsOn(page)).toEqual([]);
    const always = card.getByRole('button', { name: 'Allow always' });
    await until(async () => await always.isEnabled());
    await always.click();
    await stage.isIdle();
    expect(existsSync(join(home, 'one'))).toBe(true);
    const { body } = await call(hub.url, hub.token, 'GET', '/api/rules');
    expect(body.items).toMatchObject([{ rule: 'Bash(touch one)', behavior: 'allow', folder: home }]);
    await stage.say('run touch one');
    const rulesNamed = async (): Promise<string[]> => {
      const { body: log } = await call(hub.url, hub.token, 'GET', '/api/audit');
      const allowed = log.items.filter(({ what }: { what: string }) => what === 'allow');
      return allowed.map(({ author }: { author: { rule: string } }) => author.rule);
    };
    await until(async () => (await rulesNamed()).length === 2);
    expect(await rulesNamed()).toEqual(['Bash(touch one)', 'Bash(touch one)']);
    await stage.reads('the rule Bash(touch one)');
    // An agent that offers nothing to keep itself.
    const { body: made } = await call(hub.url, hub.token, 'POST', '/api/sessions', { id: 'bare' });
    const agent = await TestAgent.dial(`${hub.url}/ws/bare`, made.token);
    await agent.ask('r1', { command: 'touch two' });
    await page.goto(`${hub.url}/sessions/bare`);
    await card.getByLabel('keep the rule Bash(touch two) in this hub, for this session').check();
    await until(async () => await always.isEnabled());
    await always.click();
    const { response } = await agent.hears((heard) => heard.response?.request_id === 'r1');
    expect(response.response.behavior).toBe('allow');
  });

  it('[CO1750] the page of rules shows what a rule would have done before it is added, on a desk and on a phone', async () => {
    const stage = await ConsoleStage.open(browser);
    const { page, hub } = stage;
    await stage.launchPuppet();
    for (const [words, answer] of [
      ['run touch a', 'Allow'],
      ['run touch b', 'Allow'],
      ['run touch c', 'Allow'],
      ['run rm -f a', 'Deny …'],
    ] as const) {
      await stage.say(words);
      const card = page.getByRole('article', { name: 'Allow Bash?' });
      const button = card.getByRole('button', { name: answer, exact: true });
      await until(async () => await button.isEnabled());
      await button.click();
      if (answer !== 'Allow') await card.getByRole('button', { name: 'Deny', exact: true }).click();
      await stage.isIdle();
    }
    await stage.manage('Rules');
    await page.getByRole('heading', { name: 'Rules', exact: true }).waitFor();
    const form = page.getByRole('form', { name: 'New rule' });
    const rule = form.getByLabel('Rule', { exact: true });
    await rule.fill('Bash(rm');
    await form.getByText(/RULE_INVALID|not of the form/).waitFor();
    expect(await form.getByRole('button', { name: 'Add rule' }).isDisabled()).toBe(true);
    await rule.fill('Bash');
    await form.getByText('It would have allowed 4 calls and your one denial.').waitFor();
    await form.getByRole('list', { name: 'Against what was answered' }).getByText('Bash rm -f a').waitFor();
    expect(await violationsOn(page)).toEqual([]);
    await rule.fill('Bash(touch:*)');
    await form.getByText('It would have allowed 3 calls and not your one denial.').waitFor();
    await form.getByRole('button', { name: 'Add rule' }).click();
    const rows = page.getByRole('list', { name: 'Rules in force' });
    await rows.getByText('Bash(touch:*)').waitFor();
    expect(await rule.inputValue()).toBe('');
    // A rule without an effect is refused, and says why.
    await rule.fill('Bash(touch a)');
    await until(async () => await form.getByRole('button', { name: 'Add rule' }).isEnabled());
    await form.getByRole('button', { name: 'Add rule' }).click();
    await form.getByText('does the same already').waitFor();
    await page.setViewportSize(PHONE);
    expect(await violationsOn(page)).toEqual([]);
    const width = await page.evaluate('document.documentElement.scrollWidth');
    expect(width).toBeLessThanOrEqual(PHONE.width);
    await rows.getByRole('button', { name: 'Remove …' }).click();
    await page.getByRole('button', { name: 'Remove', exact: true }).click();
    await page.getByText('None: people are asked everything.').waitFor();
    expect((await call(hub.url, hub.token, 'GET', '/api/rules')).body.items).toEqual([]);
  });
});

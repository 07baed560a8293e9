import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { call, until } from '@signalbox/testing/hub/test-parts';
import type { Browser } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { hasProgram } from '../../../scripts/system-tools.js';
import { violationsOn } from './axe.ts';
import { ConsoleStage, sharedBrowser } from './console-stage.ts';

const PHONE = { width: 375, height: 720 };
const DESK = { width: 1280, height: 800 };

describe.runIf(hasProgram('chromium-headless-shell'))('answering', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await sharedBrowser();
  });

  it('[CO2365][CO2366][CO2367][CO2368] with another input, another plan, a no that ends the turn, a rule after a look at what it would have done, and a moment to take it back', async () => {
    const stage = await ConsoleStage.open(browser, { viewport: DESK });
    const { page, hub } = stage;
    const lookAt = async (): Promise<void> => {
      for (const size of [PHONE, DESK]) {
        await page.setViewportSize(size);
        expect(await violationsOn(page)).toEqual([]);
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(size.width);
      }
    };
    const session = await stage.launchPuppet();
    const card = page.getByRole('article', { name: 'Allow Bash?' });
    const body = page.getByRole('group', { name: 'What is asked, in full' });
    const answers = async (): Promise<string[]> => {
      const { items } = (await call(hub.url, hub.token, 'GET', '/api/audit')).body;
      const told = [
        'allow',
        'deny',
        'allow with another input',
        'deny and interrupt',
        'allow with another input in mode default',
      ];
      return items.map(({ what }: { what: string }) => what).filter((what: string) => told.includes(what));
    };

    // [CO2365] Another input, from the keyboard.
    await stage.say('run touch one');
    await card.waitFor();
    await until(async () => await card.getByRole('button', { name: 'Edit …' }).isEnabled());
    await body.focus();
    await page.keyboard.press('e');
    const command = card.getByLabel('command');
    await command.waitFor();
    await lookAt();
    await command.fill('touch two');
    await card.getByRole('button', { name: 'Allow as changed' }).click();
    await stage.isIdle();
    expect([existsSync(join(stage.home, 'one')), existsSync(join(stage.home, 'two'))]).toEqual([false, true]);
    expect((await answers())[0]).toBe('allow with another input');

    // A no that ends the turn.
    await stage.say('run touch three');
    await card.getByRole('button', { name: 'Deny …' }).click();
    await page.getByLabel('What shall it do instead?').fill('not today');
    await card.getByRole('button', { name: 'Deny and stop' }).click();
    await stage.isIdle();
    expect((await answers())[0]).toBe('deny and interrupt');

    // [CO2366] A plan is changed before it is approved, and the agent goes by what it became.
    await page.getByLabel('Permission mode').selectOption('plan');
    await until(async () => (await page.getByLabel('Permission mode').inputValue()) === 'plan');
    await stage.say('call ExitPlanMode {"plan":"# First\\n\\nthis"}');
    const plan = page.getByRole('article', { name: 'Begin with this plan?' });
    await until(async () => await plan.getByRole('button', { name: 'Edit …' }).isEnabled());
    await plan.getByRole('button', { name: 'Edit …' }).click();
    await plan.getByLabel('Plan').fill('# First\n\nthat, with tests');
    await lookAt();
    await plan.getByRole('button', { name: 'Approve as changed' }).click();
    await stage.reads('that, with tests');
    await stage.isIdle();
    expect((await answers())[0]).toBe('allow with another input in mode default');

    // [CO2367] A rule of the hub is taken after a look at what it would have done.
    await stage.say('run touch two');
    await card.getByLabel(/keep the rule Bash\(touch two\) in this hub/).check();
    await card.locator('.backtest-words').waitFor();
    await lookAt();
    await card.getByRole('button', { name: 'Allow', exact: true }).click();
    await stage.isIdle();

    // [CO2368] Where it is wanted, an answer waits for a moment; the inbox says who answered what.
    await page.goto(`${hub.url}/#inbox`);
    await page.getByLabel('Wait a moment before my answers are sent').check();
    await call(hub.url, hub.token, 'POST', `/api/sessions/${session}/prompts`, {
      clientId: 'a',
      content: 'run touch four',
    });
    const before = (await answers()).length;
    await until(async () => await card.getByRole('button', { name: 'Allow', exact: true }).isEnabled());
    await body.focus();
    await page.keyboard.press('a');
    const undo = card.getByRole('button', { name: 'Undo' });
    await undo.waitFor();
    await page.keyboard.press('u');
    await undo.waitFor({ state: 'detached' });
    await until(async () => await card.getByRole('button', { name: 'Deny …' }).isEnabled());
    await page.keyboard.press('d');
    await page.getByLabel('What shall it do instead?').fill('five');
    await page.keyboard.press('Enter');
    await undo.waitFor();
    expect((await answers()).length).toBe(before);
    await page
      .getByRole('region', { name: 'Answered' })
      .getByText(/denied by .+ \(/)
      .waitFor();
    expect((await answers())[0]).toBe('deny');
    expect(existsSync(join(stage.home, 'four'))).toBe(false);
    // Another person answers: it is said who was first.
    const grant = { person: 'Grace', name: 'phone', scope: 'approve' };
    const { token } = (await call(hub.url, hub.token, 'POST', '/api/devices', grant)).body;
    await call(hub.url, hub.token, 'POST', `/api/sessions/${session}/prompts`, {
      clientId: 'b',
      content: 'run touch six',
    });
    await card.waitFor();
    const [{ requestId }] = (await call(hub.url, hub.token, 'GET', '/api/permissions')).body.items;
    const path = `/api/sessions/${session}/permissions/${requestId}/answer`;
    expect((await call(hub.url, token, 'POST', path, { behavior: 'allow' })).status).toBe(200);
    await page.getByText('allowed by Grace (phone)').waitFor();
    await lookAt();
    // Who leaves has decided: the answer goes with them.
    await call(hub.url, hub.token, 'POST', `/api/sessions/${session}/prompts`, {
      clientId: 'c',
      content: 'run printf x > seven',
    });
    await until(async () => await card.getByRole('button', { name: 'Allow', exact: true }).isEnabled());
    await page.keyboard.press('a');
    await undo.waitFor();
    await page.getByRole('link', { name: 'Overview' }).click();
    await until(() => existsSync(join(stage.home, 'seven')));
    expect(readFileSync(join(stage.home, 'seven'), 'utf8')).toBe('x');
  });
});

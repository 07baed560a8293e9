import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { call } from '@signalbox/testing/hub/test-parts';
import type { Browser } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { hasProgram } from '../../../scripts/system-tools.js';
import { ConsoleStage, sharedBrowser } from './console-stage.ts';

describe.runIf(hasProgram('chromium-headless-shell'))('trusting a folder', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await sharedBrowser();
  });

  it('[CO247] a folder that is not trusted is named with what is left out, and can be trusted', async () => {
    const stage = await ConsoleStage.open(browser);
    const { page, hub } = stage;
    for (const name of ['one', 'two']) {
      mkdirSync(join(stage.home, name, '.claude'), { recursive: true });
      writeFileSync(join(stage.home, name, '.claude/settings.json'), JSON.stringify({ env: { A: '1' } }));
    }
    const trusted = async (): Promise<string[]> =>
      (await call(hub.url, hub.token, 'GET', '/api/trusted-folders')).body.items;
    const start = async (name: string): Promise<void> => {
      await page.getByRole('button', { name: 'New session' }).first().click();
      await page.getByLabel('Agent').selectOption('scripted');
      await page.getByLabel('Folder').fill(join(stage.home, name));
      await page.getByText('Left out while it is not trusted: env (.claude/settings.json)').waitFor();
    };
    await start('one');
    await page.getByRole('checkbox', { name: 'I trust' }).check();
    await stage.click('Start');
    await stage.isIdle();
    expect(await trusted()).toEqual([join(stage.home, 'one')]);
    expect(await page.getByRole('region', { name: 'Trust' }).count()).toBe(0);

    await start('two');
    await stage.click('Start');
    const notice = page.getByRole('region', { name: 'Trust' });
    await notice.getByText('env (.claude/settings.json)').waitFor();
    expect(await trusted()).toHaveLength(1);
    await stage.click('Trust this folder');
    await notice.getByText('It counts when the agent is started again').waitFor();
    expect(await trusted()).toEqual([join(stage.home, 'one'), join(stage.home, 'two')]);
  });

  it('[CO390] a folder that was trusted counts at once where the agent is restarted from there', async () => {
    const stage = await ConsoleStage.open(browser);
    const { page, hub } = stage;
    const folder = join(stage.home, 'three');
    mkdirSync(join(folder, '.claude'), { recursive: true });
    writeFileSync(join(folder, '.claude/settings.json'), JSON.stringify({ env: { A: '1' } }));
    await page.getByRole('button', { name: 'New session' }).first().click();
    await page.getByLabel('Agent').selectOption('scripted');
    await page.getByLabel('Folder').fill(folder);
    await stage.click('Start');
    await stage.click('Trust this folder');
    await stage.click('Restart the agent');
    await page.getByRole('region', { name: 'Trust' }).waitFor({ state: 'detached' });
    await stage.isIdle();
    const [{ id }] = (await call(hub.url, hub.token, 'GET', '/api/sessions')).body.items;
    const { body } = await call(hub.url, hub.token, 'GET', `/api/sessions/${id}/trust`);
    expect(body).toMatchObject({ trust: { isTrusted: true } });
    const { entries } = (await call(hub.url, hub.token, 'GET', `/api/sessions/${id}/events`)).body;
    // The agent that left something out is gone.
    expect(JSON.stringify(entries)).toContain('"subtype":"exited"');
  });
});

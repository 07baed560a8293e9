import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { hasProgram } from '../../../scripts/system-tools.js';
import { commandLine, wordsOfCommand } from '../src/model/command-line.ts';
import { violationsOn } from './axe.ts';
import { ConsoleStage, sharedBrowser } from './console-stage.ts';

describe('a command as it is typed', () => {
  it.each([
    ['claude --verbose', ['claude', '--verbose']],
    [`  sh -c 'echo "hi"  $x' `, ['sh', '-c', 'echo "hi"  $x']],
    [String.raw`a "b \" c" d\ e '' 'f'"g"`, ['a', 'b " c', 'd e', '', 'fg']],
    ['', []],
  ])('[CO2553] %s is read as words, and these as it again', (line, words) => {
    expect(wordsOfCommand(line)).toEqual(words);
    expect(wordsOfCommand(commandLine(words))).toEqual(words);
  });

  it('[CO2553] with an open quote is none', () => {
    expect(wordsOfCommand(`sh -c 'echo`)).toBeUndefined();
  });
});

describe.runIf(hasProgram('chromium-headless-shell'))('the agents of a hub', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await sharedBrowser();
  });

  it('[CO2552] are defined, changed and removed on a page; no value of theirs is on it', async () => {
    const config = {
      agents: { screen: { command: ['sh', '-c', 'cat'], mode: 'terminal', env: { KEY: 'secret-1' } } },
    };
    const stage = await ConsoleStage.open(browser, {}, { config });
    const { page, home } = stage;
    const agents = (): unknown => JSON.parse(readFileSync(join(home, 'config.json'), 'utf8')).agents;
    await page.getByText('No sessions yet').waitFor();
    await page.goto(`${stage.hub.url}/#agents`);
    const rows = page.getByRole('list', { name: 'Agents' });
    await rows.getByText(`sh -c cat`).waitFor();
    await stage.click('Define an agent');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name', { exact: true }).fill('claude');
    await dialog.getByLabel('Command').fill(`my-agent "two words"`);
    await dialog.getByLabel('Title (optional)').fill('Mine');
    await stage.click('Add a variable');
    await dialog.getByLabel('Name of the variable').fill('TOKEN');
    await dialog.getByLabel('Its value').fill('secret-2');
    for (const [width, height] of [
      [375, 667],
      [1280, 800],
    ] as const) {
      await page.setViewportSize({ width, height });
      expect(await violationsOn(page)).toEqual([]);
      await shot(`agent-dialog-${width}`);
    }
    await stage.click('Add');
    await dialog.getByText('is the name of an agent that Signalbox brings').waitFor();
    await dialog.getByLabel('Name', { exact: true }).fill('mine');
    await stage.click('Add');
    await rows.getByText("my-agent 'two words'").waitFor();
    await rows.getByText("my-agent is not in the hub's PATH").waitFor();
    await rows.getByText('gets TOKEN').waitFor();
    await stage.click('Change screen');
    await dialog.getByLabel('Command').fill('sh -i');
    await dialog.getByLabel('Take away KEY').check();
    await dialog.getByRole('button', { name: 'Change', exact: true }).click();
    await rows.getByText('sh -i').waitFor();
    expect(agents()).toEqual({
      screen: { command: ['sh', '-i'], mode: 'terminal' },
      mine: { title: 'Mine', command: ['my-agent', 'two words'], mode: 'sdk', env: { TOKEN: 'secret-2' } },
    });
    for (const [width, height] of [
      [375, 667],
      [1280, 800],
    ] as const) {
      await page.setViewportSize({ width, height });
      expect(await violationsOn(page)).toEqual([]);
      await shot(`agents-${width}`);
    }
    expect(await page.content()).not.toContain('secret-');
    await stage.click('Remove Mine');
    await dialog.getByRole('button', { name: 'Remove', exact: true }).click();
    await rows.getByText("my-agent 'two words'").waitFor({ state: 'detached' });
    expect(agents()).toEqual({ screen: { command: ['sh', '-i'], mode: 'terminal' } });

    async function shot(name: string): Promise<void> {
      const { SIGNALBOX_SCREENSHOTS: folder } = process.env;
      if (folder) await page.screenshot({ path: join(folder, `${name}.png`) });
    }
  });
});

import { createRequire } from 'node:module';
import { until } from '@signalbox/testing/hub/test-parts';
import type { Browser, BrowserContextOptions } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { hasProgram } from '../../../scripts/system-tools.js';
import { ConsoleStage, sharedBrowser } from './console-stage.ts';

const EVERYTHING = createRequire(import.meta.url).resolve(
  '@modelcontextprotocol/server-everything/dist/index.js',
);

const FORM = 'call mcp__every__trigger-elicitation-request {}';

describe.runIf(hasProgram('chromium-headless-shell'))('what MCP servers ask', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await sharedBrowser();
  });

  /** The real agent with a real server, which asks. */
  async function stageWithServer(options: BrowserContextOptions = {}): Promise<ConsoleStage> {
    const stage = await ConsoleStage.open(browser, options);
    const servers = { every: { command: process.execPath, args: [EVERYTHING, 'stdio'] } };
    const config = JSON.stringify({ mcpServers: servers });
    await stage.launchPuppet(['--mcp-config', config, '--dangerously-skip-permissions']);
    return stage;
  }

  it('[CO41] a form says at its fields what does not fit, and Enter sends it', async () => {
    const stage = await stageWithServer();
    const { page } = stage;
    await stage.say(FORM);
    const card = page.getByRole('article', { name: 'Answer the MCP server' });
    const name = card.getByLabel('String required');
    const integer = card.getByLabel('Integer');
    await integer.fill('101');
    await card.getByLabel('email format').fill('zoe');
    await until(() => card.getByRole('button', { name: 'Answer' }).isEnabled());
    await integer.press('Enter');
    await card.getByText('must be filled in').waitFor();
    await card.getByText('must be 100 or less').waitFor();
    await card.getByText('must be an e-mail address').waitFor();
    expect(await page.locator(':focus').getAttribute('id')).toBe(await name.getAttribute('id'));
    expect(await name.getAttribute('aria-invalid')).toBe('true');

    // Whoever looks at another session meanwhile finds the form as they left it.
    await page.getByRole('button', { name: 'New session' }).click();
    await page.getByLabel('Folder').fill(stage.home);
    await stage.click('Start');
    await until(async () => (await card.count()) === 0);
    await page.getByRole('navigation').getByText('asks you').click();
    expect(await integer.inputValue()).toBe('101');
    await until(() => card.getByRole('button', { name: 'Answer' }).isEnabled());

    await integer.fill('7');
    await integer.press('Enter');
    await card.getByText('must be filled in').waitFor();
    expect(await card.getByText('must be 100 or less').count()).toBe(0);
    await card.getByLabel('email format').fill('zoe@example.com');
    await card.getByLabel('date format').fill('2001-02-03');
    await card.getByText('Boolean').click();
    await card.getByText('Violin').click();
    await card.getByLabel('Legacy Titled').selectOption('Birds');
    await name.fill('Zoe');
    await name.press('Enter');
    await stage.reads('User provided the requested information');
    const answer = await stage.transcript.textContent();
    for (const part of [
      '"name": "Zoe"',
      '"check": true',
      '"firstLine": "It was a dark and stormy night."',
      '"email": "zoe@example.com"',
      '"birthdate": "2001-02-03"',
      '"integer": 7',
      '"number": 3.14',
      '"untitledMultipleSelectEnum": [ "Guitar", "Violin" ]',
      '"titledSingleSelectEnum": "hero-1"',
      '"legacyTitledEnum": "pet-3"',
    ])
      expect(answer?.replaceAll(/\s+/g, ' ')).toContain(part);
    expect(answer).not.toContain('"homepage"');
  });

  it('[CO41] a form is declined, or left without a decision; on a phone it fits', async () => {
    const stage = await stageWithServer({
      viewport: { width: 375, height: 700 },
      hasTouch: true,
      isMobile: true,
    });
    const { page } = stage;
    await stage.say(FORM);
    const card = page.getByRole('article');
    await card.waitFor();
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(375);
    const targets = await card.locator('button, .field, .option').all();
    const boxes = await Promise.all(targets.map((target) => target.boundingBox()));
    expect(boxes.length).toBeGreaterThan(15);
    for (const box of boxes) expect(box?.height).toBeGreaterThanOrEqual(44);
    // However long the form is, what ends it is in sight.
    const { y = Infinity, height = 0 } =
      (await page.getByRole('button', { name: 'Answer' }).boundingBox()) ?? {};
    expect(y + height).toBeLessThan(700);
    await page.getByRole('button', { name: 'Decline' }).tap();
    await stage.reads('"action": "decline"');
    await stage.isIdle();
    await stage.say(FORM);
    await page.getByRole('button', { name: 'Cancel' }).tap();
    await stage.reads('"action": "cancel"');
  });

  it('[CO42] a page is shown with its address, and opens in a new tab', async () => {
    const stage = await stageWithServer();
    const { page, hub } = stage;
    const url = `${hub.url}/sessions/somewhere-else`;
    await stage.say(
      `call mcp__every__trigger-url-elicitation ${JSON.stringify({ url, message: 'Please sign in' })}`,
    );
    const card = page.getByRole('article', { name: 'Open a page for the MCP server' });
    await card.getByText('Please sign in').waitFor();
    await card.getByText(url, { exact: true }).waitFor();
    const opened = page.waitForEvent('popup');
    await card.getByRole('link', { name: 'Open' }).click();
    expect((await opened).url()).toBe(url);
    await stage.reads('"action": "accept"');
    await until(async () => (await page.getByRole('article').count()) === 0);
  });
});

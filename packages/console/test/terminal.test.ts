import { endTerminals } from '@signalbox/testing/hub/terminal-stage';
import { until } from '@signalbox/testing/hub/test-parts';
import type { Browser, Page } from 'playwright-core';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { hasProgram } from '../../../scripts/system-tools.js';
import { ConsoleStage, sharedBrowser } from './console-stage.ts';
import { openTerminal, shows } from './terminal-page.ts';

/** A connection as slow as a busy machine makes it: the page hears nothing of a terminal before this is let go. */
async function holdTerminalBack(page: Page): Promise<() => void> {
  let release = (): void => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.routeWebSocket(/\/terminals\/\d+$/, (socket) => {
    const hub = socket.connectToServer();
    hub.onMessage((message) => void released.then(() => socket.send(message)));
  });
  return release;
}

describe.runIf(hasProgram('chromium-headless-shell'))('the terminal of a session', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await sharedBrowser();
  });

  it('[CO1350] is typed into, shows programs with a screen of their own, and goes on where it was after a kill of the hub', async () => {
    const stage = await ConsoleStage.open(browser);
    const { page } = stage;
    await openTerminal(stage);
    await page.locator('.xterm textarea').focus();
    await page.keyboard.type('printf "\\e[38;2;255;0;0mred\\e[m-$((1+1))\\n"; seq 1 300 | less\n');
    await shows(page, /^1$/);
    const red = page.locator('.xterm-rows span', { hasText: /^red$/ });
    await stage.restartHub();
    // What is typed while the connection is being made again is not sent later.
    const last = page.locator('.xterm-rows').getByText(/^300$/);
    await until(async () => {
      await page.keyboard.type('G');
      return (await last.count()) > 0;
    });
    await page.keyboard.type('q');
    await shows(page, 'red-2');
    expect(await red.getAttribute('style')).toMatch(/rgb\(255, 0, 0\)|#ff0000/);
    await page.keyboard.type('exit 4\n');
    await page.getByText('The shell has ended with 4.').waitFor();
    await stage.click('New');
    await page.getByRole('button', { name: 'Terminal 2', exact: true }).waitFor();
    await stage.click('Terminal 1 (ended)');
    await shows(page, 'red-2');
    await stage.click('Remove');
    await page.getByRole('button', { name: 'Terminal 1 (ended)' }).waitFor({ state: 'detached' });
    await page.getByRole('tab', { name: 'Agent' }).click();
    await stage.isIdle();
  });

  it('[CO1351] has the keys on a phone that its keyboard lacks', async () => {
    const phone = { viewport: { width: 390, height: 780 }, hasTouch: true, isMobile: true };
    const stage = await ConsoleStage.open(browser, phone);
    const { page } = stage;
    const release = await holdTerminalBack(page);
    await openTerminal(stage);
    await page.locator('.xterm textarea').focus();
    await page.keyboard.type('cat; echo left-$((1+1))\n');
    release();
    await shows(page, 'cat; echo');
    await page.getByRole('button', { name: 'Ctrl' }).click();
    await page.keyboard.type('d');
    await shows(page, 'left-2');
    await page.getByRole('button', { name: 'Up' }).click();
    await page.keyboard.type('x\n');
    await shows(page, /left-\$\(\(1\+1\)\)x/);
    // The screen fits: nothing has to be moved sideways to be read.
    const [inner, outer] = await page
      .locator('.terminal-screen')
      .evaluate((element) => [element.scrollWidth, element.clientWidth]);
    expect(inner).toBeLessThanOrEqual(outer ?? 0);
  });

  it('[TM3744] has as many rows and columns as there is room for, and none that is cut off', async () => {
    const stage = await ConsoleStage.open(browser);
    const { page } = stage;
    await openTerminal(stage);
    const screen = page.locator('.terminal-screen');
    // More heights than a row has pixels.
    for (let height = 600; height < 620; height += 1) {
      await page.setViewportSize({ width: 900 + height, height });
      await until(async () => {
        const { room, drawn } = await screen.evaluate((element) => {
          const rows = element.querySelectorAll('.xterm-rows > div');
          const [first, last] = [rows[0], rows[rows.length - 1]].map((row) => row?.getBoundingClientRect());
          return {
            room: element.getBoundingClientRect().bottom - (last?.bottom ?? 0),
            drawn: first?.height ?? 0,
          };
        });
        return room >= 0 && room < drawn;
      });
      const [inner, outer] = await screen.evaluate((element) => [element.scrollHeight, element.clientHeight]);
      expect(inner).toBe(outer);
    }
  });

  it('[TM3745] on a touch screen no tab looks chosen that is not', async () => {
    const phone = { viewport: { width: 390, height: 780 }, hasTouch: true, isMobile: true };
    const stage = await ConsoleStage.open(browser, phone);
    const { page } = stage;
    await openTerminal(stage);
    await page.getByRole('tab', { name: 'Agent' }).hover();
    const ground = `getComputedStyle(document.querySelector('.session-tab[data-name="agent"]')).backgroundColor`;
    expect(await page.evaluate(ground)).toBe('rgba(0, 0, 0, 0)');
  });

  it('[CO1685] shows the agent on its own screen, and comes back with what was said there', async () => {
    const stage = await ConsoleStage.open(browser);
    const { page } = stage;
    onTestFinished(() => endTerminals(stage.home));
    await stage.launchPuppet();
    await stage.turn('say one');
    await stage.click('Continue in a terminal');
    await shows(page, 'say one');
    await page.locator('.xterm textarea').focus();
    await page.keyboard.type('say from-there');
    await shows(page, 'say from-there');
    await page.keyboard.press('Enter');
    await shows(page, /^\W*from-there/);
    await stage.click('Back');
    await stage.reads('The conversation came back from its terminal');
    await stage.reads('from-there');
    await stage.isIdle();
    await stage.say('say again');
    await stage.reads('again');
  });
});

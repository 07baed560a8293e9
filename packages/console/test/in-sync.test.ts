import { cpSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startHub } from '@signalbox/hub';
import { openMemoryStore } from '@signalbox/hub/store';
import { freePort } from '@signalbox/testing/free-port';
import { call, temporaryFolder, until } from '@signalbox/testing/hub/test-parts';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { hasProgram } from '../../../scripts/system-tools.js';
import { violationsOn } from './axe.ts';
import { ConsoleStage, launchBrowser, openPage } from './console-stage.ts';

const CONSOLE = fileURLToPath(new URL('../../../dist/console', import.meta.url));

describe.runIf(hasProgram('chromium'))('a page in sync', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser.close());

  it('[CO2405][CO2406][CO2407][CO2408][CO2412] shows what it kept before the hub answers, loses no word with the page, and says that the hub is gone', async () => {
    const stage = await ConsoleStage.open(browser);
    const { page, hub } = stage;
    const id = await stage.launchPuppet();
    const replies = (): Promise<string[]> => stage.transcript.locator('.reply').allTextContents();
    await stage.turn('say something kept');
    // The end of the turn is the last that there is to keep.
    await until(async () => (await keptText(page)).includes('"type":"result"'));

    // A hub that takes its time.
    const release = await holdHub(page);
    await page.reload();
    await page.getByText('Catching up').waitFor();
    await until(async () => (await replies()).join() === 'something kept');
    const prompt = { clientId: 'c1', content: 'say later words' };
    await call(hub.url, hub.token, 'POST', `/api/sessions/${id}/prompts`, prompt);
    expect(await stage.transcript.getByText('later words').count()).toBe(0);
    const asked = subscriptionsOf(page);
    await release();
    await until(async () => (await replies()).join() === 'something kept,later words');
    await page.getByLabel('Permission mode').waitFor();
    expect(asked().find(({ session }) => session === id)).toMatchObject({
      cursor: { seq: expect.any(Number) },
    });

    // Another tab has the same draft.
    const tab = await page.context().newPage();
    await tab.goto(page.url());
    const otherBox = tab.getByLabel('Prompt', { exact: true });
    await otherBox.fill('a word from the other tab');
    await until(async () => (await stage.box.inputValue()) === 'a word from the other tab');
    await tab.close();
    await stage.box.fill('');

    // What was sent into a dead connection outlives the page.
    await page.evaluate(
      'navigator.serviceWorker.register("/service-worker.js").then(() => navigator.serviceWorker.ready)',
    );
    await stage.restartHub(async () => {
      await stage.say('say good evening');
      await page.getByText('sending …').waitFor();
      await page.reload();
      await page.getByRole('heading', { name: 'The hub does not answer' }).waitFor();
      expect(await violationsOn(page)).toEqual([]);
    });
    // It is read by the page that comes after the one without a hub.
    await stage.transcript.locator('.reply').getByText('good evening').waitFor();
    await stage.isIdle();
    expect(await replies()).toHaveLength(3);
    expect(await stage.transcript.locator('.prompt').count()).toBe(3);

    // A database that does not answer, and none at all, keep nobody waiting for good.
    await page.addInitScript('IDBFactory.prototype.open = () => new EventTarget()');
    await page.reload();
    await stage.reads('good evening');
    await page.addInitScript(
      `Object.defineProperty(window, 'indexedDB', { get() { throw new Error('no') } })`,
    );
    await page.reload();
    await stage.reads('good evening');
  });

  it('[CO2409][CO2410][CO2411][CO2413] keeps nothing of a sign-in that has ended, looks again when somebody comes back, and can be installed', async () => {
    const stage = await ConsoleStage.open(browser);
    const { page, hub } = stage;
    await page.getByRole('button', { name: 'Take a tour' }).click();
    const tour = page.getByRole('region', { name: 'Tour' });
    await tour.getByText('1 of 4').waitFor();
    await stage.reads('this list');
    await stage.isIdle();
    await stage.say('run');
    await tour.getByText('2 of 4').waitFor();
    expect(await violationsOn(page)).toEqual([]);
    await page.getByRole('button', { name: 'Allow', exact: true }).click();
    await tour.getByText('3 of 4').waitFor();
    await tour.getByRole('button', { name: 'Skip the tour' }).click();
    await tour.waitFor({ state: 'detached' });
    await stage.isIdle();
    await stage.box.fill('a secret draft');
    await until(async () => (await keptText(page)).includes('this list'));
    expect(await storedText(page)).toContain('a secret draft');

    const cdp = await page.context().newCDPSession(page);
    const { installabilityErrors } = await cdp.send('Page.getInstallabilityErrors');
    // A browser of a test has no profile to install anything in, and that is all that it says.
    expect(installabilityErrors.map(({ errorId }) => errorId)).toEqual(['in-incognito']);
    const manifest = await call(hub.url, hub.token, 'GET', '/manifest.webmanifest');
    for (const { src, sizes } of manifest.body.icons) {
      const icon = Buffer.from(await (await fetch(hub.url + src)).arrayBuffer());
      expect(`${icon.readUInt32BE(16)}x${icon.readUInt32BE(20)}`).toBe(sizes);
    }

    await page.goto(`${hub.url}/#rules`);
    await page.getByRole('heading', { name: 'Rules', exact: true }).waitFor();
    const rule = { rule: 'Bash(npm test:*)', behavior: 'allow' };
    expect((await call(hub.url, hub.token, 'POST', '/api/rules', rule)).status).toBe(201);
    await page.evaluate(`dispatchEvent(new Event('focus'))`);
    await page.getByText('Bash(npm test:*)').first().waitFor();

    const own: { id: string } = (await call(hub.url, hub.token, 'GET', '/api/me')).body;
    const devices: { id: string }[] = (await call(hub.url, hub.token, 'GET', '/api/devices')).body.items;
    for (const { id } of devices)
      if (id !== own.id) await call(hub.url, hub.token, 'DELETE', `/api/devices/${id}`);
    await page.getByText('Signed out').waitFor();
    await until(async () => (await keptText(page)) === '');
    expect(await storedText(page)).not.toContain('a secret draft');
  });

  it('[CO2404] offers to be loaded again when the hub was upgraded', async () => {
    const store = await openMemoryStore();
    const port = await freePort();
    let hub = await startHub({ store, port, console: CONSOLE });
    onTestFinished(async () => {
      await hub.close();
      await store.close();
    });
    const page = await openPage(browser);
    await page.goto(
      await hub.createSignInLink({ person: 'Ada', name: 'browser', scope: 'admin', session: null }),
    );
    await page.getByText('No sessions yet').waitFor();
    await hub.close();
    await page.getByText('Connection lost').waitFor();
    hub = await startHub({ store, port, console: nextVersion() });
    await page.getByText('The hub was updated').waitFor();
    await page.getByRole('button', { name: 'Reload' }).click();
    await page.getByText('No sessions yet').waitFor();
    expect(await page.getByText('The hub was updated').count()).toBe(0);
  });
});

/** The console as the next version would have it: the same, under another name. */
function nextVersion(): string {
  const folder = join(temporaryFolder(), 'console');
  cpSync(CONSOLE, folder, { recursive: true });
  const page = readFileSync(join(folder, 'index.html'), 'utf8');
  const name = /assets\/(index-[^"]+)\.js/.exec(page)?.[1] ?? '';
  for (const file of readdirSync(join(folder, 'assets')))
    if (file.startsWith(`${name}.js`))
      renameSync(join(folder, 'assets', file), join(folder, 'assets', file.replace(name, 'index-next')));
  for (const file of readdirSync(folder))
    if (file.startsWith('index.html.')) renameSync(join(folder, file), join(folder, `other${file}`));
  writeFileSync(join(folder, 'index.html'), page.replaceAll(name, 'index-next'));
  return folder;
}

/** Everything that the databases of the page have, as text. */
async function keptText(page: Page): Promise<string> {
  return page.evaluate(`(async () => {
    const texts = [];
    const done = (request) => new Promise((resolve, reject) => {
      request.addEventListener('success', () => resolve(request.result));
      request.addEventListener('error', () => reject(request.error));
    });
    for (const { name } of await indexedDB.databases()) {
      const database = await done(indexedDB.open(name));
      for (const store of database.objectStoreNames)
        texts.push(JSON.stringify(await done(database.transaction(store).objectStore(store).getAll())));
      database.close();
    }
    return texts.join();
  })()`);
}

async function storedText(page: Page): Promise<string> {
  return page.evaluate('JSON.stringify({ ...localStorage, ...sessionStorage })');
}

/** From the next load on nothing comes from the hub but the page itself; returns the way to let it through. */
async function holdHub(page: Page): Promise<() => Promise<void>> {
  let letThrough = (): void => {};
  const released = new Promise<void>((resolve) => (letThrough = resolve));
  await page.route('**/api/**', async (route) => {
    await released;
    await route.continue();
  });
  await page.routeWebSocket('**/api/stream', async (socket) => {
    await released;
    socket.connectToServer();
  });
  return async () => letThrough();
}

/** What the page has subscribed to from now on. */
function subscriptionsOf(page: Page): () => { session: string; cursor?: object }[] {
  const sent: { type: string; session: string; cursor?: object }[] = [];
  page.on('websocket', (socket) =>
    socket.on('framesent', ({ payload }) => void sent.push(JSON.parse(String(payload)))),
  );
  return () => sent.filter(({ type }) => type === 'subscribe');
}

import { readFileSync } from 'node:fs';
import { makeCertificate } from '@signalbox/testing/hub/certificate';
import { HubProcess } from '@signalbox/testing/hub/hub-process';
import { NoticeReceiver } from '@signalbox/testing/hub/notice-receiver';
import { PushBrowser } from '@signalbox/testing/hub/push-browser';
import { TestAgent } from '@signalbox/testing/hub/test-agent';
import { call, temporaryFolder, until } from '@signalbox/testing/hub/test-parts';
import type { Browser, Worker } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasProgram } from '../../../scripts/system-tools.js';
import { violationsOn } from './axe.ts';
import { ConsoleStage, launchBrowser } from './console-stage.ts';

const PHONE = { width: 375, height: 720 };

describe.runIf(hasProgram('chromium'))('notices', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser.close());

  it('[CO1940] a push is shown by the service worker and answered by its button while no page is open, with the hub killed in between', async () => {
    const files = makeCertificate(temporaryFolder());
    const [cert, key] = [readFileSync(files.cert, 'utf8'), readFileSync(files.key, 'utf8')];
    const service = await NoticeReceiver.listen({ cert, key });
    service.answers = [201];
    const variables = { NODE_EXTRA_CA_CERTS: files.cert };
    const stage = await ConsoleStage.open(browser, {}, { variables });
    const { page } = stage;
    const { url } = stage.hub;
    const context = page.context();
    await context.grantPermissions(['notifications'], { origin: url });
    await stage.manage('Notices');
    await page.getByRole('heading', { name: 'This browser' }).waitFor();
    // Chromium has no push service here: what it would give the page, the test gives in its place.
    const mine = new PushBrowser();
    const subscription = mine.subscription(`${service.url}/send/1`);
    await page.evaluate(`{
      const { endpoint, keys } = ${JSON.stringify(subscription)};
      const given = { endpoint, options: {}, toJSON: () => ({ endpoint, keys }), unsubscribe: async () => true };
      PushManager.prototype.subscribe = async () => given;
      PushManager.prototype.getSubscription = async () => null;
    }`);
    // Only an admin may name a service inside of the network, and no page does so by itself.
    await page.route('**/api/notices/push', (route) => {
      const body = { ...route.request().postDataJSON(), allowsPrivate: true };
      return route.continue({ postData: JSON.stringify(body) });
    });
    await page.getByRole('button', { name: 'Turn on' }).click();
    await page.getByText('Notices are shown on this device, with Allow and Deny.').waitFor();
    const worker: Worker = context.serviceWorkers()[0] ?? (await context.waitForEvent('serviceworker'));
    const cdp = await context.newCDPSession(page);
    const registrations: string[] = [];
    cdp.on('ServiceWorker.workerRegistrationUpdated', (told) => {
      for (const one of told.registrations) if (!one.isDeleted) registrations.push(one.registrationId);
    });
    await cdp.send('ServiceWorker.enable');
    const registrationId = await until(() => registrations[0]);
    const agent = await TestAgent.dial(`${url}/ws/s`, stage.hub.token);
    await agent.ask('q', { command: 'rm -r build' });
    await until(() => service.received.length === 1);
    await page.goto('about:blank');
    await stage.hub.kill();
    await HubProcess.start(stage.home, Number(new URL(url).port), variables);
    const data = mine.decrypt(service.received[0]?.body ?? Buffer.of());
    await cdp.send('ServiceWorker.deliverPushMessage', { origin: url, registrationId, data });
    const shown = await until(() =>
      worker.evaluate<{ title: string; body: string } | undefined>(
        'registration.getNotifications().then(([one]) => one && { title: one.title, body: one.body })',
      ),
    );
    expect(shown).toMatchObject({ title: 's asks you', body: 'Bash: rm -r build' });
    await worker.evaluate(`registration.getNotifications().then(([notification]) => {
      dispatchEvent(new NotificationEvent('notificationclick', { notification, action: 'allow' }));
    })`);
    const { response } = await agent.hears((heard) => heard.response?.request_id === 'q');
    expect(response.response.behavior).toBe('allow');
    const { body } = await call(url, stage.hub.token, 'GET', '/api/audit');
    expect(body.items[0]).toMatchObject({
      what: 'allow',
      author: { device: expect.stringMatching(/^notice to /) },
    });
  });

  it('[CO1941] the page of notices adds, tests and removes targets and tells what became of notices, on a desk and on a phone', async () => {
    const receiver = await NoticeReceiver.listen();
    const stage = await ConsoleStage.open(browser);
    const { page } = stage;
    await stage.manage('Notices');
    const form = page.getByRole('form', { name: 'New target' });
    await form.getByLabel('Address', { exact: true }).fill(`${receiver.url}/hook`);
    await form.getByLabel('Name').fill('desk');
    await form.getByRole('button', { name: 'Add' }).click();
    await form.getByText('inside of the network').waitFor();
    await form.getByLabel('Its address is inside of my network').check();
    await form.getByRole('button', { name: 'Add' }).click();
    await form.getByText(/whsec_/).waitFor();
    await page.getByRole('button', { name: 'Send a test' }).click();
    await receiver.gets(({ event }) => event === 'test');
    const outcome = page.getByRole('list', { name: 'Notices' }).getByText('desk: sent');
    await until(async () => {
      await page.getByRole('button', { name: 'Look again' }).click();
      return (await outcome.count()) === 1;
    });
    expect(await violationsOn(page)).toEqual([]);
    await page.setViewportSize(PHONE);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(PHONE.width);
    expect(await violationsOn(page)).toEqual([]);
    await page.getByRole('button', { name: 'Remove desk' }).click();
    await page.getByRole('list', { name: 'Targets' }).waitFor({ state: 'detached' });
  });
});

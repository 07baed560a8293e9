import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { EVENT_MS } from '@signalbox/testing/event-limit';
import { freePort } from '@signalbox/testing/free-port';
import { HubProcess } from '@signalbox/testing/hub/hub-process';
import { call, startModel, temporaryFolder, until } from '@signalbox/testing/hub/test-parts';
import { type Browser, type BrowserContextOptions, chromium, type Locator, type Page } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest';
import { endBridges, SharedHub } from './shared-hub.ts';

// Without its own sandbox, because tests run as root.
const ARGS = ['--headless', '--no-sandbox', '--disable-gpu', '--disable-background-networking'];

let shared: Promise<Browser> | undefined;

/**
 * One browser for all test files of a process, which ends with it: to start one costs as much as three pages. Debian's headless shell
 * takes about half of the processor time of its whole Chromium.
 */
export function sharedBrowser(): Promise<Browser> {
  shared ??= chromium.launch({ executablePath: '/usr/bin/chromium-headless-shell', args: ARGS });
  return shared;
}

/** Chromium as a whole, for what its headless shell does not have: notifications, and installing a page. */
export function launchBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: '/usr/bin/chromium', args: ARGS });
}

/** A page whose scripts must not fail, and must keep to the policy of the page. */
export async function openPage(browser: Browser, options: BrowserContextOptions = {}): Promise<Page> {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  page.setDefaultTimeout(EVENT_MS);
  const faults: string[] = [];
  page.on('pageerror', ({ message }) => faults.push(message));
  page.on('console', (line) => {
    if (line.text().includes('Content Security Policy')) faults.push(line.text());
  });
  onTestFinished(async () => {
    await context.close();
    expect(faults).toEqual([]);
  });
  return page;
}

/** `signalbox up` as a person runs it, and a browser that has followed its link. */
export class ConsoleStage {
  readonly page: Page;
  readonly home: string;
  readonly #port: number;
  #hub: HubProcess;

  private constructor(page: Page, home: string, port: number, hub: HubProcess) {
    this.page = page;
    this.home = home;
    this.#port = port;
    this.#hub = hub;
  }

  /** `variables` are added to the environment of its first hub, and `config` is its `config.json`. */
  static async open(
    browser: Browser,
    options: BrowserContextOptions = {},
    { variables = {}, config }: { variables?: NodeJS.ProcessEnv; config?: object } = {},
  ): Promise<ConsoleStage> {
    const home = temporaryFolder();
    if (config) writeFileSync(join(home, 'config.json'), JSON.stringify(config));
    const port = await freePort();
    // Ended last: a hub would start its agents again.
    onTestFinished(() => endBridges(home));
    const hub = await HubProcess.start(home, port, variables);
    const page = await openPage(browser, options);
    await page.goto(await until(() => /sign in\s+(\S+)/.exec(hub.output())?.[1]));
    // Signed in, it goes on to the board: that would interrupt wherever a test goes next.
    await page.waitForURL(({ pathname }) => pathname !== '/sign-in');
    return new ConsoleStage(page, home, port, hub);
  }

  /**
   * One hub for the tests of a file that need no more of it than sessions of their own: each has a page of its own, and finds no session and
   * an empty home. To be called beside them.
   */
  static ofFile(): (browser: Browser, options?: BrowserContextOptions) => Promise<ConsoleStage> {
    let place: SharedHub | undefined;
    beforeAll(async () => {
      place = await SharedHub.start();
    });
    afterAll(() => place?.end());
    return async (browser, options) => {
      if (!place) throw new Error('its hub was not started');
      const { home, hub, port } = place;
      onTestFinished(() => place?.clear());
      const page = await openPage(browser, options);
      await page.goto(await place.newLink());
      await page.waitForURL(({ pathname }) => pathname !== '/sign-in');
      return new ConsoleStage(page, home, port, hub);
    };
  }

  get hub(): HubProcess {
    return this.#hub;
  }

  /** Start an agent on the built-in model from the dialog; it greets. */
  async startSession(): Promise<void> {
    await this.page.getByRole('button', { name: 'New session' }).first().click();
    await this.page.getByLabel('Agent').selectOption('scripted');
    // The hub's own home.
    await this.page.getByLabel('Folder').fill('~');
    await this.page.getByLabel('First prompt').fill('Hello');
    await this.page.getByRole('button', { name: 'Start', exact: true }).click();
    await this.reads('this list');
    await this.isIdle();
  }

  /** An agent that does what one types, on a model of the test's own. */
  async launchPuppet(args: readonly string[] = [], folder = this.home): Promise<string> {
    const model = await startModel();
    const env = { ANTHROPIC_BASE_URL: model.url, ANTHROPIC_API_KEY: 'scripted' };
    const launch = { agent: 'signalbox-agent', folder, args, env };
    const { body } = await call(this.#hub.url, this.#hub.token, 'POST', '/api/sessions', { launch });
    await this.#show(`/sessions/${body.session.id}`);
    await this.isIdle();
    return body.session.id;
  }

  /** Follow the link of a session as a person does, which costs less than to load the page anew; where none is in sight, load it. */
  async #show(path: string): Promise<void> {
    const list = this.page.getByRole('navigation');
    const isCovered = (await this.page.getByRole('dialog').count()) > 0;
    if (isCovered || !(await list.isVisible())) return void (await this.page.goto(`${this.#hub.url}${path}`));
    await list.locator(`a[href="${path}"]`).click();
    await this.page.waitForURL(({ pathname }) => pathname === path);
  }

  /** Where a person writes. */
  get box(): Locator {
    return this.page.getByLabel('Prompt', { exact: true });
  }

  async say(words: string): Promise<void> {
    await this.box.fill(words);
    await this.box.press('Enter');
  }

  /** Say this and wait for the end of its turn. */
  async turn(words: string): Promise<void> {
    const before = await this.#drawnEnds();
    await this.say(words);
    await until(async () => (await this.#drawnEnds()).some((end) => !before.includes(end)));
    await this.isIdle();
  }

  /** By their keys: how many are drawn says nothing once the first rows have left the screen. */
  #drawnEnds(): Promise<(string | null)[]> {
    const ends = this.transcript.locator('.slot:has(.turn-end)');
    return ends.evaluateAll((all) => all.map((end) => end.getAttribute('data-key')));
  }

  async chooseInMenu(name: string): Promise<void> {
    await this.click('Session menu');
    await this.click(name);
  }

  /** Go to a page about the hub itself. */
  async manage(name: string): Promise<void> {
    await this.click('Manage');
    await this.click(name);
  }

  click(name: string): Promise<void> {
    return this.page.getByRole('button', { name, exact: true }).click();
  }

  get transcript(): Locator {
    return this.page.getByRole('log');
  }

  /** Wait until the transcript has these words. */
  async reads(words: string): Promise<void> {
    await this.transcript.getByText(words).last().waitFor();
  }

  /** Wait until no turn runs. Of a prompt that was just sent the page may not know yet: `turn` waits for its end. */
  async isIdle(): Promise<void> {
    await this.page.getByRole('button', { name: 'Send' }).waitFor();
  }

  /** End it as Ctrl-C does, and start it again once the page has noticed. */
  async endAndStartHub(): Promise<void> {
    this.#hub.tell('SIGINT');
    await this.#hub.exited;
    await this.page.getByText('Connection lost').waitFor();
    this.#hub = await HubProcess.start(this.home, this.#port);
  }

  /** Kill it, and start it again once the page has noticed and `meanwhile` is done. */
  async restartHub(meanwhile: () => Promise<void> = async () => {}): Promise<void> {
    await this.#hub.kill();
    // Not in sight while another tab is.
    await this.page.getByText('Connection lost').waitFor({ state: 'attached' });
    await meanwhile();
    this.#hub = await HubProcess.start(this.home, this.#port);
  }
}

import { fileURLToPath } from 'node:url';
import type { JsonObject } from '@signalbox/protocol';
import type { Author } from '@signalbox/protocol/hub';
import { startTestHub } from '@signalbox/testing/hub/test-parts';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import type { Store } from '../../hub/src/store/store.ts';
import { openPage } from './console-stage.ts';

const CONSOLE = fileURLToPath(new URL('../../../dist/console', import.meta.url));

/** A session whose record holds these lines and whose agent asks these things (r1, r2 and so on), open in a browser. */
export async function showRecord(
  browser: Browser,
  {
    lines = [],
    asks = [],
    title,
    through = async (url) => url,
    ...options
  }: {
    lines?: readonly (readonly [Author, unknown])[];
    asks?: readonly JsonObject[];
    title?: string;
    /** The address that the browser uses in place of the hub's own. */
    through?: (url: URL) => Promise<URL>;
  } & BrowserContextOptions,
): Promise<{ page: Page; store: Store; session: string }> {
  const { hub, store } = await startTestHub({ console: CONSOLE });
  const { id: session } = await store.sessions.create('s', { title: title ?? null, state: 'disconnected' });
  for (const [author, message] of lines) {
    const bytes = Buffer.from(JSON.stringify(message));
    await store.commit({ appends: [{ session, author, lines: [{ bytes }] }] });
  }
  for (const [at, asked] of asks.entries()) await store.permissions.open(session, `r${at + 1}`, asked);
  const link = await hub.createSignInLink({ person: 'Ada', name: 'browser', scope: 'admin', session: null });
  const page = await openPage(browser, { viewport: { width: 900, height: 700 }, ...options });
  await page.goto((await through(new URL(link))).href);
  // The page of the link goes there by itself; what is opened before that is left again.
  await page.waitForURL(({ pathname }) => pathname === '/');
  await page.getByRole('main').waitFor();
  await page.goto(new URL(`/sessions/${session}`, page.url()).href);
  await page.getByRole('log').waitFor({ state: 'attached' });
  return { page, store, session };
}

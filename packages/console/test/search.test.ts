import { prompt, reply, toolCall, toolResult } from '@signalbox/testing/hub/search-lines';
import type { Browser, Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { hasProgram } from '../../../scripts/system-tools.js';
import type { Store } from '../../hub/src/store/store.ts';
import { hasWord, typedWords } from '../src/model/typed-words.ts';
import { violationsOn } from './axe.ts';
import { sharedBrowser } from './console-stage.ts';
import { showRecord } from './show-record.ts';

describe('words that are typed', () => {
  it('[CO1700] may go on at their end, unless they are in quotes', () => {
    expect(typedWords('retry que')).toBe('retry que*');
    expect(typedWords('retry ')).toBe('retry ');
    expect(typedWords('"retry que')).toBe('"retry que');
    expect(typedWords('"retry queue" fai')).toBe('"retry queue" fai*');
    expect(typedWords('que*')).toBe('que*');
    expect(hasWord('é')).toBe(true);
    expect(hasWord(' "=> ')).toBe(false);
  });
});

const AGENT = { by: 'agent' } as const;
const ANN = { by: 'person', name: 'Ann', device: 'phone' } as const;

/** Sessions in which much was said, a little of it about zebras. */
async function fill(store: Store): Promise<void> {
  const filler = (at: number) =>
    reply(`Line ${at} of a long story.\n\nIt goes on for a while, and says nothing.`);
  await store.sessions.create('long', { title: 'A long story', folder: '/srv/story', state: 'exited' });
  const lines = Array.from({ length: 600 }, (_, at) => filler(at));
  lines[120] = reply('Here a striped zebra crosses the road.');
  await store.commit({ appends: [{ session: 'long', author: AGENT, lines }] });
  await store.sessions.create('tools', { title: 'Tools', folder: '/srv/tools', state: 'exited' });
  await store.commit({ appends: [{ session: 'tools', author: ANN, lines: [prompt('look for the zebra')] }] });
  await store.commit({
    appends: [
      {
        session: 'tools',
        author: AGENT,
        lines: [
          toolCall('t', 'Bash', { command: 'grep -rn zebra src' }),
          toolResult('t', 'src/zoo.ts:7: zebra'),
        ],
      },
    ],
  });
}

describe.runIf(hasProgram('chromium-headless-shell'))('the search page', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await sharedBrowser();
  });

  it('[CO1701] is reached from the search for a session, shows hits with their words, and a hit leads to its place', async () => {
    const { page, store } = await showRecord(browser, { title: 'Another' });
    await fill(store);
    await page.goto(new URL('/', page.url()).href);
    await page.getByLabel('Find a session').focus();
    await page.keyboard.type('zeb');
    await page.getByRole('link', { name: 'Search “zeb” in everything said' }).waitFor();
    // No session has it in its title: Enter searches in all that was said.
    await page.keyboard.press('Enter');
    const hits = page.getByRole('list', { name: 'Hits' }).getByRole('listitem');
    await expect.poll(() => hits.count()).toBe(4);
    expect(await page.getByLabel('Search in everything said').inputValue()).toBe('zeb');
    expect(await hits.first().locator('mark').allTextContents()).toEqual(['zebra']);
    await hits.filter({ hasText: 'Bash answered' }).getByText('src/zoo.ts:7:').waitFor();
    expect(await violationsOn(page)).toEqual([]);
    await page.keyboard.type('ra striped');
    await expect.poll(() => hits.count()).toBe(1);
    await hits.first().getByRole('link').click();
    await page.getByRole('heading', { name: 'A long story' }).waitFor();
    const row = page.getByText('Here a striped zebra crosses the road.');
    await row.waitFor();
    await expect.poll(() => isInSight(page, 'Here a striped zebra crosses the road.')).toBe(true);
    expect(new URL(page.url()).hash).toBe('#121');
    // Back are the hits.
    await page.goBack();
    await expect.poll(() => hits.count()).toBe(1);
    expect(await page.getByLabel('Search in everything said').inputValue()).toBe('zebra striped');
  });

  it('[CO1702] holds a search to a folder and a tool, and says when nothing is found, on a phone too', async () => {
    const { page, store } = await showRecord(browser, {
      title: 'Another',
      viewport: { width: 375, height: 667 },
      hasTouch: true,
      isMobile: true,
    });
    await fill(store);
    await page.goto(new URL('/#search=zebra', page.url()).href);
    const hits = page.getByRole('list', { name: 'Hits' }).getByRole('listitem');
    await expect.poll(() => hits.count()).toBe(4);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(375);
    expect(await violationsOn(page)).toEqual([]);
    await page.getByLabel('Tool').fill('bash');
    await expect.poll(() => hits.count()).toBe(2);
    await page.getByLabel('Tool').fill('');
    await page.getByLabel('Folder').selectOption('/srv/story');
    await expect.poll(() => hits.count()).toBe(1);
    await page.getByLabel('When').selectOption('Last day');
    await expect.poll(() => hits.count()).toBe(1);
    const field = page.getByLabel('Search in everything said');
    await field.fill('giraffe');
    await page.getByText('Nothing was found for “giraffe”.').waitFor();
    for (const odd of ['"', '***', '(zebra OR']) {
      await field.fill(odd);
      await page
        .getByLabel('What was found')
        .getByText(/Words of people|Nothing was found/)
        .waitFor();
    }
    expect(await page.getByRole('alert').count()).toBe(0);
  });
});

async function isInSight(page: Page, text: string): Promise<boolean> {
  const box = await page.getByText(text).boundingBox();
  const height = page.viewportSize()?.height ?? 0;
  return box !== null && box.y >= 0 && box.y + box.height <= height;
}

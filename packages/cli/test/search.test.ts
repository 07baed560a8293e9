import { describe, expect, it } from 'vitest';
import { momentOf } from '../src/search/moment.ts';
import { HubStage } from './hub-stage.ts';

describe('signalbox search', () => {
  it('[CL1700] finds what was said, called and answered, for people and for programs, and says by its exit code whether it did', async () => {
    const stage = await HubStage.start();
    await stage.run('run', '--yes', 'say The zebra is mended');
    await stage.run('run', '--yes', 'run echo a zebra');
    const sessions = (await stage.api.sessions()).items;
    const [second = '', first = ''] = sessions.map(({ id }) => id);
    const all = await stage.run('search', 'zebra');
    expect(all.code).toBe(0);
    // Of the second session the last words, the result, the call and the prompt; of the first one words and prompt.
    const places = [...all.stdout.matchAll(/^(\S+)#(\d+) {2}(.*) · \d+ \w ago$/gm)];
    expect(places.map(([, id]) => id)).toEqual(
      [second, second, second, second, first, first].map((id) => id.slice(0, 8)),
    );
    expect(all.stdout).toMatch(/^\S+#\d+ {2}.*· agent · .* ago\n {4}The zebra is mended$/m);
    const called = await stage.run('search', 'zebra', '--tool', 'bash', '--json');
    expect(JSON.parse(called.stdout)).toMatchObject([
      { session: second, kind: 'result', tool: 'Bash' },
      { session: second, kind: 'call', tool: 'Bash' },
    ]);
    const held = await stage.run(
      'search',
      '--session',
      first.slice(0, 8),
      'zebra',
      'mended',
      '--since',
      '1h',
    );
    expect(held.stdout).not.toContain(second.slice(0, 8));
    expect(held.stdout).toContain(first.slice(0, 8));
    const here = JSON.parse((await stage.run('search', 'zebra', '--folder', '.', '--json')).stdout);
    expect(here).toHaveLength(places.length);
    for (const nothing of [
      ['giraffe'],
      ['zebra', '--folder', '/nowhere'],
      ['zebra', '--until', '2020-01-01'],
      ['zebra', '--person', 'nobody'],
    ])
      expect(await stage.run('search', ...nothing)).toMatchObject({
        code: 1,
        stdout: 'Nothing was found.\n',
      });
    for (const wrong of [[], ['"*'], ['a', '--limit', '0'], ['a', '--since', 'yesterday'], ['a', '--what']])
      expect(await stage.run('search', ...wrong)).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('search --help'),
      });
    for (const odd of ['"zebra', '(zebra ^', "zebra'"]) expect((await stage.run('search', odd)).code).toBe(0);
    await stage.killHub();
    expect(await stage.run('search', 'zebra')).toMatchObject({ code: 2, stdout: '' });
  });

  it('[CL1701] marks in a terminal what was found', async () => {
    const stage = await HubStage.start();
    await stage.run('run', '--yes', 'say The zebra is mended');
    const pane = await stage.openAt(60, 'search', 'zebra');
    await pane.see('The zebra is mended');
    await pane.see('exit code 0');
    expect(await pane.colors()).toMatch(/The (?:␛\[[\d;]*m)+zebra/);
  });

  it('[CL1702] takes days, times and ages', () => {
    const now = Date.parse('2026-11-18T12:00');
    const hour = 3_600_000;
    expect(momentOf('2h', now)).toBe(now - 2 * hour);
    expect(momentOf('30m', now)).toBe(now - hour / 2);
    expect(momentOf('1w', now)).toBe(now - 7 * 24 * hour);
    expect(momentOf('2026-11-17', now)).toBe(new Date(2026, 10, 17).getTime());
    expect(momentOf('2026-11-17', now, true)).toBe(new Date(2026, 10, 18).getTime());
    expect(momentOf('2026-11-17T08:30', now, true)).toBe(new Date(2026, 10, 17, 8, 30).getTime());
    for (const wrong of ['yesterday', '', '3', 'd', '-3d', '2026-13-40', '2026-11-17Tx', '17.11.2026'])
      expect([wrong, momentOf(wrong, now)]).toEqual([wrong, undefined]);
  });
});

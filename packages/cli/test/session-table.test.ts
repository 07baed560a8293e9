import { sampleSession } from '@signalbox/testing/hub/sample-session';
import type { Session } from 'signalbox/hub';
import stringWidth from 'string-width';
import { describe, expect, it } from 'vitest';
import { sessionTable } from '../src/sessions/session-table.ts';

const SESSION = sampleSession({ title: 'hello', folder: '/p', agent: 'claude' });

describe('the table of sessions', () => {
  it('[CL370] what an agent says of its session does not speak to the terminal', () => {
    const hostile = '/a\u001b[31m\u001b]0;x\u0007\nb';
    const session: Session = { ...SESSION, title: hostile, folder: hostile, agent: hostile };
    const table = sessionTable([session], 0, 500);
    expect(table).toContain('/a');
    expect(table).not.toContain('\u001b');
    expect(table.trimEnd().split('\n')).toHaveLength(2);
  });

  it('[CL780] has as many rows as there are sessions, in whatever states', () => {
    const many = Array.from({ length: 150_000 }, (_, at) => ({ ...SESSION, id: `${at}` }));
    expect(sessionTable(many, 0, 80).split('\n')).toHaveLength(150_001);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as a hub that is newer than this program may say
    const odd = { ...SESSION, id: 'a\u001bc', state: 'dreaming' } as unknown as Session;
    const table = sessionTable([odd], 0, 80);
    expect(table).toContain('dreaming');
    expect(table).not.toContain('\u001b');
  });

  it('[CL626] counts what a terminal shows: wide characters take two columns, an emoji of many parts as well', () => {
    const titles = ['plain', '日本語のタイトル', '👩‍👩‍👧‍👦 family', 'café', '漢字'.repeat(40)];
    const table = sessionTable(
      titles.map((title) => ({ ...SESSION, title })),
      0,
      70,
    );
    const [head = '', ...rows] = table.split('\n');
    const column = head.indexOf('FOLDER');
    expect(rows.map((row) => stringWidth(row.slice(0, row.indexOf('/p'))))).toEqual(titles.map(() => column));
    for (const row of rows) expect(stringWidth(row)).toBeLessThanOrEqual(70);
  });

  it('[CL1778] says the branch of a session and how it stands, and leaves that out first where there is no room', () => {
    const git = { branch: 'signalbox/apart', ahead: 2, behind: 1, changed: 3 };
    const sessions = [
      { ...SESSION, git },
      { ...SESSION, git: { ...git, branch: null, changed: 0 } },
      SESSION,
    ];
    const wide = sessionTable(sessions, 0, 200);
    expect(wide).toContain('signalbox/apart ↑2 ↓1 ±3');
    expect(wide).toContain('no branch ↑2 ↓1');
    const narrow = sessionTable(sessions, 0, 60);
    expect(narrow).not.toContain('BRANCH');
    expect(narrow).toContain('AGENT');
    expect(sessionTable([SESSION], 0, 200)).not.toContain('BRANCH');
  });

  it('[CL626] calls a session without a title by its folder, as the console does', () => {
    expect(sessionTable([{ ...SESSION, title: null, folder: '/work/shop' }], 0, 200)).toMatch(
      /ready +shop +\/work\/shop/,
    );
  });
});

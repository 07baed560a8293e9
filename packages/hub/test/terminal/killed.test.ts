import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runUp, UP } from '@signalbox/testing/hub/run-up';
import { endTerminals, SeenTerminal } from '@signalbox/testing/hub/terminal-stage';
import { call, temporaryFolder, until } from '@signalbox/testing/hub/test-parts';
import { describe, expect, it, onTestFinished } from 'vitest';
import { lockFolder } from '../../src/bridge/folder-lock.ts';
import { findTerminals, isTerminalThere } from '../../src/terminal-host/find-terminals.ts';
import { readSavedScreen, SavedOutput } from '../../src/terminal-host/saved-output.ts';
import { writeTerminalMeta } from '../../src/terminal-host/terminal-folder.ts';
import { greetedThen } from '../launch/launch-stage.ts';

describe('the process of a terminal', () => {
  it('[CL1402] is there until it has told its viewers, also when its shell has ended', () => {
    const home = temporaryFolder();
    const data = join(home, 'terminals', 'work', '1');
    const life = { session: 'work', number: 1, epoch: 'x', pid: process.pid, shell: 'sh', folder: home };
    const meta = { ...life, startedAt: 0, mark: 'x', shellPid: 1 };
    writeTerminalMeta(data, meta);
    lockFolder(data);
    const [terminal] = findTerminals(home);
    writeTerminalMeta(data, { ...meta, exit: { code: 0, signal: null } });
    expect(findTerminals(home)).toEqual([]);
    expect(terminal && isTerminalThere(terminal)).toBe(true);
    rmSync(data, { recursive: true });
    expect(terminal && isTerminalThere(terminal)).toBe(false);
  });
});

describe('terminals and kills', () => {
  it('[TM1366] a hub that is killed over a terminal loses no byte of it', async () => {
    const [home, folder] = [temporaryFolder(), temporaryFolder()];
    onTestFinished(() => endTerminals(home));
    const first = runUp(UP, home);
    const file = join(home, 'hub.json');
    const { url } = await until(() => existsSync(file) && JSON.parse(readFileSync(file, 'utf8')));
    const tokenFile = join(home, 'token');
    await until(() => existsSync(tokenFile));
    const token = readFileSync(tokenFile, 'utf8').trim();
    const launch = { ...greetedThen(''), folder };
    expect((await call(url, token, 'POST', '/api/sessions', { id: 'work', launch })).status).toBe(201);
    expect((await call(url, token, 'POST', '/api/sessions/work/terminals', {})).status).toBe(201);
    const view = new SeenTerminal({ url, token, session: 'work', number: 1, queries: 'keep' });
    await view.type('stty -echo; PS1=\n');
    await view.type('for i in {1..3000}; do echo "line $i"; done; until [ -e go ]; do sleep 0.05; done; ');
    await view.type('for i in {3001..6000}; do echo "line $i"; done; touch done; echo all-$((1+1))\n');
    await view.shows('line 100\r');
    first.child.kill('SIGKILL');
    await first.exited;
    writeFileSync(join(folder, 'go'), '');
    await until(() => existsSync(join(folder, 'done')));
    runUp(
      UP.map((word) => (word === '0' ? new URL(url).port : word)),
      home,
    );
    await view.shows('all-2');
    const lines = Array.from({ length: 6000 }, (_, at) => `line ${at + 1}\r\n`).join('');
    expect(view.text.slice(view.text.indexOf('line 1\r'), view.text.indexOf('all-2'))).toBe(lines);
    expect(view.screens).toHaveLength(1);
    expect((await call(url, token, 'DELETE', '/api/sessions/work/terminals/1')).status).toBe(200);
    await call(url, token, 'POST', '/api/sessions/work/stop', {});
    // With its session the folder of its bridge is gone for good.
    expect((await call(url, token, 'DELETE', '/api/sessions/work')).status).toBe(200);
  });

  it('[TM1367] a disk that cannot be written does not end a terminal, and is told of once', () => {
    const folder = temporaryFolder();
    const screen = { offset: 0, cols: 80, rows: 24, data: 'one', resizes: 0 };
    const troubles: string[] = [];
    const nowhere = new SavedOutput(join(folder, 'removed'), ({ message }) => void troubles.push(message));
    nowhere.begin(screen, Buffer.alloc(0));
    nowhere.append(Buffer.from('x'));
    nowhere.begin(screen, Buffer.alloc(0));
    expect(troubles).toEqual([expect.stringContaining('The terminal goes on')]);
    expect(readSavedScreen(join(folder, 'removed'))).toBeUndefined();
    const saved = new SavedOutput(folder, ({ message }) => void troubles.push(message));
    saved.begin(screen, Buffer.from('rest '));
    saved.append(Buffer.from('more'));
    expect(readSavedScreen(folder)).toEqual({ screen, bytes: Buffer.from('rest more') });
    saved.begin({ ...screen, offset: 9, data: 'two' }, Buffer.alloc(0));
    saved.end();
    expect(readSavedScreen(folder)).toMatchObject({ screen: { data: 'two' }, bytes: Buffer.alloc(0) });
    expect(troubles).toHaveLength(1);
  });
});

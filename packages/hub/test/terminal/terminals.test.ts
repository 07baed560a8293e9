import {
  appendFileSync,
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { getPriority } from 'node:os';
import { dirname, join } from 'node:path';
import { gone, SESSION, TerminalStage } from '@signalbox/testing/hub/terminal-stage';
import { temporaryFolder, until } from '@signalbox/testing/hub/test-parts';
import headless from '@xterm/headless';
import { describe, expect, it } from 'vitest';
import { agentGrant } from '../../src/auth/identity.ts';
import { SIGNALBOX } from '../launch/launch-stage.ts';

const TERMINALS = `/api/sessions/${SESSION}/terminals`;

describe('terminals', () => {
  it('[TM1350] runs a shell in the folder of a session, shows what it writes, and tells of its end', async () => {
    const stage = await TerminalStage.open();
    const terminal = await stage.start();
    expect(terminal).toMatchObject({ session: SESSION, number: 1, state: 'running', folder: stage.folder });
    const view = stage.view(1);
    await view.type('pwd; echo $TERM-$((6*7)); echo token=$SIGNALBOX_TOKEN$SIGNALBOX_TERMINAL.\n');
    await view.shows('xterm-256color-42');
    await view.shows(stage.folder);
    await view.shows('token=.');
    await view.type('exit 3\n');
    await until(() => view.exit !== undefined);
    expect(view.exit).toEqual({ code: 3, signal: null });
    const { body } = await stage.call('GET', TERMINALS);
    expect(body.items).toMatchObject([{ number: 1, state: 'exited', exit: { code: 3, signal: null } }]);
    // Nobody needs its token any more, and its last screen is still there.
    await until(async () => (await stage.store.devices.list({ kind: 'terminal' })).items[0]?.revokedAt);
    const later = stage.view(1);
    await until(() => later.exit !== undefined);
    expect(later.seen).toContain('xterm-256color-42');
    expect(later.exit).toEqual({ code: 3, signal: null });
  });

  it('[TM1351] who may watch sees the same screen, and only who may do everything starts, types and ends', async () => {
    const stage = await TerminalStage.open();
    const drive = await stage.tokenFor('drive');
    expect(await stage.call('POST', TERMINALS, {}, drive)).toMatchObject({ status: 403 });
    await stage.start();
    const view = stage.view(1);
    const other = stage.view(1, { token: drive });
    await view.type('echo seen-$((1+1))\n');
    await other.shows('seen-2');
    await other.type('echo typed\n');
    await until(() => other.troubles.length > 0);
    expect(other.troubles).toEqual(['FORBIDDEN']);
    expect(await stage.call('DELETE', `${TERMINALS}/1`, undefined, drive)).toMatchObject({ status: 403 });
    // An agent may run on another machine: what a person does in a shell is not its to see.
    const { token: agents } = await stage.store.devices.add(agentGrant(SESSION));
    expect(await stage.call('GET', TERMINALS, undefined, agents)).toMatchObject({ status: 403 });
    const spy = stage.view(1, { token: agents });
    await until(() => spy.terminal.state === 'refused');
    expect(spy.seen).toBe('');
    const strange = await stage.tokenFor('watch');
    expect((await stage.call('GET', TERMINALS, undefined, strange)).body.items).toHaveLength(1);
    expect((await stage.call('DELETE', `${TERMINALS}/1`)).status).toBe(200);
    await until(() => view.terminal.state === 'ended' || view.terminal.state === 'refused');
    expect(view.seen).not.toContain('typed');
    const { items } = await stage.store.audit.list({ session: SESSION });
    const kept = items.map(({ what, subject, author }) => [
      what,
      subject,
      author.by === 'person' && author.name,
    ]);
    expect(kept.toReversed()).toEqual([
      ['start terminal', '1', 'Ada'],
      ['type in terminal', '1', 'Ada'],
      ['end terminal', '1', 'Ada'],
    ]);
    expect((await stage.call('GET', TERMINALS)).body.items).toEqual([]);
  });

  it('[TM1368] what is typed before the first screen has come is typed once it is there', async () => {
    const stage = await TerminalStage.open();
    await stage.start();
    const view = stage.view(1);
    expect(view.terminal.state).toBe('connecting');
    expect(view.terminal.type('echo ahead-')).toBe(true);
    expect(view.terminal.type('$((1+1))\n')).toBe(true);
    expect(view.terminal.type('x'.repeat(64 * 1024))).toBe(false);
    await view.shows('ahead-2');
    // By then it could be another program that hears it.
    await stage.closeHub();
    await until(() => view.terminal.state !== 'open');
    expect(view.terminal.type('echo later-$((1+1))\n')).toBe(false);
  });

  it('[TM1352] a hub that goes and comes back loses no byte, and draws nothing twice', async () => {
    const stage = await TerminalStage.open();
    await stage.start();
    const view = stage.view(1, { queries: 'keep' });
    await view.type('stty -echo; PS1=\n');
    await view.type(
      'for i in {1..5000}; do echo "line $i"; done; touch half; until [ -e go ]; do sleep 0.05; done; ',
    );
    await view.type('for i in {5001..9000}; do echo "line $i"; done; touch done; echo all-$((1+1))\n');
    await view.shows('line 100\r');
    await until(() => existsSync(join(stage.folder, 'half')));
    const closing = stage.restartHub();
    writeFileSync(join(stage.folder, 'go'), '');
    await until(() => existsSync(join(stage.folder, 'done')));
    await closing;
    await view.shows('all-2');
    // What is there still has its token.
    expect((await stage.store.devices.list({ kind: 'terminal' })).items).toMatchObject([{ revokedAt: null }]);
    const lines = Array.from({ length: 9000 }, (_, at) => `line ${at + 1}\r\n`).join('');
    expect(view.text.slice(view.text.indexOf('line 1\r'), view.text.indexOf('all-2'))).toBe(lines);
    expect(view.screens).toHaveLength(1);
  });

  it('[TM1353] a terminal whose process is killed leaves nothing running, and its last screen', async () => {
    const stage = await TerminalStage.open();
    await stage.start();
    const view = stage.view(1);
    await view.type('trap "" HUP; (trap "" HUP; sleep 1000; true) & echo before-$!-end\n');
    await view.shows(/before-\d+-end/);
    const child = Number(/before-(\d+)-end/.exec(view.seen)?.[1]);
    const [{ host, shell } = { host: 0, shell: 0 }] = stage.pids();
    process.kill(host, 'SIGKILL');
    await Promise.all([host, shell, child].map(gone));
    await until(() => view.exit !== undefined);
    expect(view.exit).toBeNull();
    expect(view.seen).toMatch(/before-\d+-end/);
    const later = stage.view(1);
    await until(() => later.exit !== undefined);
    expect(later.seen).toMatch(/before-\d+-end/);
    expect((await stage.call('GET', TERMINALS)).body.items).toMatchObject([{ state: 'lost', pid: null }]);
    expect((await stage.call('DELETE', `${TERMINALS}/1`)).status).toBe(200);
    expect((await stage.call('DELETE', `${TERMINALS}/1`)).body.code).toBe('TERMINAL_NOT_FOUND');
  });

  it('[TM1354] a folder that is gone, a size that cannot be, and a number that nobody has are refused by name', async () => {
    const stage = await TerminalStage.open();
    const huge = await stage.call('POST', TERMINALS, { cols: 10_000, rows: 10_000 });
    expect(huge).toMatchObject({ status: 400, body: { code: 'REQUEST_INVALID' } });
    expect((await stage.call('POST', TERMINALS, { cols: 1, rows: 1 })).status).toBe(400);
    await stage.store.sessions.create('nowhere');
    const nowhere = await stage.call('POST', '/api/sessions/nowhere/terminals', {});
    expect(nowhere).toMatchObject({ status: 422, body: { code: 'FOLDER_NOT_FOUND' } });
    const view = stage.view(7);
    await until(() => view.terminal.state === 'refused');
    expect(view.troubles).toEqual(['TERMINAL_NOT_FOUND']);
    rmSync(stage.folder, { recursive: true });
    const absent = await stage.call('POST', TERMINALS, {});
    expect(absent).toMatchObject({ status: 422, body: { code: 'FOLDER_NOT_FOUND' } });
    expect((await stage.call('GET', TERMINALS)).body.items).toEqual([]);
  });

  it('[TM1355] much output costs little memory, and whoever cannot keep up gets the last screen', async () => {
    const stage = await TerminalStage.open();
    await stage.start();
    // Draws nothing before it is told to.
    let draw = (): void => {};
    const drawing = new Promise<void>((resolve) => {
      draw = resolve;
    });
    const slow = stage.view(1, { onOutput: () => drawing });
    const view = stage.view(1);
    await slow.opened();
    await view.type('head -c 12000000 /dev/zero | tr "\\0" x | fold -w 79; echo end-$((1+1))\n');
    await view.shows('end-2');
    const [{ host } = { host: 0 }] = stage.pids();
    const memory = Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${host}/status`, 'utf8'))?.[1]) / 1024;
    expect(memory).toBeLessThan(400);
    const late = stage.view(1, { scrollback: 100 });
    await late.shows('end-2');
    expect(late.screens[0]?.length).toBeLessThan(20_000);
    draw();
    await until(() => slow.screens.some((screen) => screen.includes('end-2')));
  });

  it('[TM3260] after a flood a viewer with scrollback shows all that it would keep, and one without was sent every byte', async () => {
    const stage = await TerminalStage.open();
    await stage.start();
    // They draw nothing before they are told to.
    let draw = (): void => {};
    const drawing = new Promise<void>((resolve) => {
      draw = resolve;
    });
    const shown = new headless.Terminal({ cols: 80, rows: 24, scrollback: 2000, allowProposedApi: true });
    const page = stage.view(1, {
      scrollback: 2000,
      onScreen: ({ data }) => {
        shown.reset();
        shown.write(data);
      },
      onOutput: (bytes) => {
        shown.write(bytes);
        return drawing;
      },
    });
    let sent = 0;
    const program = stage.view(1, {
      onOutput: (bytes) => {
        sent += bytes.length;
        return drawing;
      },
    });
    const view = stage.view(1);
    await Promise.all([page.opened(), program.opened()]);
    // More than is sent ahead, and less than what is kept.
    await view.type('seq -f "line-%070.0f" 50000; echo end-$((1+1))\n');
    await view.shows('end-2');
    draw();
    const rows = (): string[] => {
      const { active } = shown.buffer;
      return Array.from(
        { length: active.length },
        (_, y) => active.getLine(y)?.translateToString(true) ?? '',
      );
    };
    const numbers = (): number[] =>
      rows().flatMap((row) => /^line-0+(\d+)$/.exec(row)?.slice(1).map(Number) ?? []);
    // The last of the screens of the flood may have the end as well, without what is above it.
    await until(() => rows().includes('end-2') && numbers().length >= 2000);
    const lines = numbers();
    expect(lines).toEqual(Array.from(lines, (_, at) => 50_000 - lines.length + 1 + at));
    await until(() => sent > 50_000 * 77);
    expect(program.screens).toHaveLength(1);
  });

  it('[TM3261] the process that draws a terminal gives way to others; what runs in the terminal does not', async () => {
    const stage = await TerminalStage.open();
    await stage.start();
    const view = stage.view(1);
    await view.type('echo shell-$(nice)-\n');
    await view.shows(`shell-${getPriority()}-`);
    const [{ host } = { host: 0 }] = stage.pids();
    expect(getPriority(host)).toBeGreaterThan(getPriority());
  });

  it('[TM1526] one who may only watch holds nobody up with a flood', async () => {
    const stage = await TerminalStage.open();
    await stage.start();
    const socket = await stage.socketFor('watch');
    const heard = { screens: 0 };
    socket.on('message', (data: Buffer) => {
      if (data.toString().startsWith('{"type":"screen"')) heard.screens += 1;
    });
    for (let at = 0; at < 8000; at += 1) socket.send(Buffer.alloc(0));
    socket.send(JSON.stringify({ type: 'attach' }));
    const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
    let turns = 0;
    for (; heard.screens === 0; turns += 1) await turn();
    expect(turns).toBeGreaterThan(4000);
  });

  it('[TM1527] a device gets few long screens that it does not read', async () => {
    const stage = await TerminalStage.open();
    await stage.start();
    await stage.view(1).shows('$');
    for (const { host } of stage.pids()) process.kill(host, 'SIGKILL');
    await until(async () => (await stage.call('GET', TERMINALS)).body.items[0].state === 'lost');
    // More than the system takes for one who does not read.
    const folder = join(stage.home, 'terminals', SESSION, '1');
    for (const name of readdirSync(folder).filter((one) => one.startsWith('output-')))
      appendFileSync(join(folder, name), Buffer.alloc(40 * 1024 * 1024, 'x'));
    const closes: number[] = [];
    for (let at = 0; at < 6; at += 1) {
      const socket = await stage.socketFor('watch');
      socket.on('close', (code) => closes.push(code));
      socket.send(JSON.stringify({ type: 'attach' }));
      if (at < 4) socket.pause();
    }
    await until(() => closes.length === 2);
    expect(closes).toEqual([1012, 1012]);
  });

  it('[TM1356] the terminal has the size of whoever types, within what a terminal can have', async () => {
    const stage = await TerminalStage.open();
    await stage.start({ cols: 90, rows: 20 });
    const desk = await stage.view(1, { size: { cols: 120, rows: 40 } }).opened();
    const phone = await stage.view(1, { size: { cols: 40, rows: 30 } }).opened();
    expect(desk.sizes).toEqual(['120x40']);
    expect(phone.sizes).toEqual(['120x40']);
    await phone.type('stty size\n');
    await desk.shows('30 40');
    expect([desk.sizes.at(-1), phone.sizes.at(-1)]).toEqual(['40x30', '40x30']);
    desk.terminal.resize({ cols: 1, rows: 1 });
    await desk.type('stty size\n');
    await phone.shows('1 2\r\n');
    desk.terminal.resize({ cols: 10_000, rows: 10_000 });
    await until(() => phone.sizes.at(-1) === '1000x300');
    await desk.type('stty size\n');
    await phone.shows('300 1000');
    phone.terminal.close();
    desk.terminal.close();
    await stage.view(1, { size: { cols: 80, rows: 24 } }).shows('300 1000');
  });

  it('[TM1357] what a program asks its terminal is answered once, whoever looks, and never again', async () => {
    const stage = await TerminalStage.open();
    await stage.start();
    const views = await Promise.all([stage.view(1).opened(), stage.view(1).opened()]);
    await views[0]?.type('read -rs -d R -p $\'\\e[6n\' place; echo "at ${place#*[}."\n');
    await views[1]?.shows(/at \d+;\d+\./);
    for (const { text } of views) expect(text).not.toContain('\x1b[6n');
    await stage.view(1).opened();
    await views[0]?.type('echo quiet-$((1+1))\n');
    await views[0]?.shows('quiet-2');
    expect(views[0]?.seen).not.toMatch(/\d+;\d+R/);
  });

  it('[TM1358] binary garbage harms nobody, and a bell is heard', async () => {
    const stage = await TerminalStage.open();
    await stage.start();
    const view = stage.view(1);
    await view.type('head -c 300000 /dev/urandom; printf "\\a\\ec"; stty sane; echo well-$((1+1))\n');
    await view.shows('well-2');
    await until(() => view.bells > 0);
    const later = stage.view(1);
    await later.shows('well-2');
    // Some of it was a question, and its answer was typed.
    await later.type('\x15echo again-$((1+1))\n');
    await view.shows('again-2');
  });

  it('[TM1359] the end of a terminal, and of its session, is the end of all that runs in it', async () => {
    const stage = await TerminalStage.open();
    await Promise.all([stage.start(), stage.start()]);
    const view = stage.view(1);
    await view.type('trap "" HUP TERM; nohup sleep 1000 & echo child-$!-\n');
    await view.shows(/child-\d+-/);
    const child = Number(/child-(\d+)-/.exec(view.seen)?.[1]);
    const [first, second] = stage.pids();
    await stage.call('DELETE', `${TERMINALS}/1`);
    await Promise.all([child, first?.host ?? 0, first?.shell ?? 0].map(gone));
    expect((await stage.call('DELETE', `/api/sessions/${SESSION}`)).status).toBe(200);
    await Promise.all([second?.host ?? 0, second?.shell ?? 0].map(gone));
    expect(existsSync(join(stage.home, 'terminals', SESSION))).toBe(false);
  });

  it('[TM1360] where terminals cannot be made, that is said, and all else works', async () => {
    const folder = temporaryFolder();
    const dist = dirname(SIGNALBOX);
    // Beside no packages at all.
    for (const name of ['signalbox.js', 'package.json', 'chunks'])
      cpSync(join(dist, name), join(folder, name), { recursive: true });
    const stage = await TerminalStage.open({}, [process.execPath, join(folder, 'signalbox.js')]);
    const refused = await stage.call('POST', TERMINALS, {});
    expect(refused).toMatchObject({ status: 501, body: { code: 'TERMINAL_UNAVAILABLE' } });
    expect((await stage.call('GET', TERMINALS)).body.items).toEqual([]);
  });

  it('[TM1361] a session has so many terminals, and one that has ended makes room', async () => {
    const stage = await TerminalStage.open({}, undefined, ['/bin/sh', '-c', 'exit 0']);
    for (let number = 1; number <= 17; number += 1) {
      expect((await stage.start()).number).toBe(number);
      await until(async () => (await stage.call('GET', TERMINALS)).body.items.at(-1).state === 'exited');
    }
    const { body } = await stage.call('GET', TERMINALS);
    expect(body.items.map(({ number }: { number: number }) => number)).toEqual(
      Array.from({ length: 16 }, (_, at) => at + 2),
    );
  });
});

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { EVENT_MS } from './event-limit.ts';
import { TmuxControl } from './tmux-control.ts';

const LOOK_MS = 50;

/** The session that is the terminal. */
const NAME = 'pane';

/** A program in a real terminal: typed into, resized and looked at. */
export class TmuxPane {
  // One server a pane, apart from that of the person whose machine this is: a server ends with its last session,
  // and one that is ending takes no new ones.
  readonly #server: TmuxControl;

  private constructor(server: TmuxControl) {
    this.#server = server;
  }

  /** Ends with the test. */
  static async start(
    command: readonly string[],
    {
      columns = 100,
      rows = 30,
      env = {},
    }: { columns?: number; rows?: number; env?: Record<string, string> } = {},
  ): Promise<TmuxPane> {
    const { PATH = '' } = process.env;
    const variables = Object.entries({ PATH, LANG: 'C.UTF-8', TERM: 'screen-256color', ...env });
    // Nothing of the developer's own environment; and the pane outlives its program, so that its last words can be read.
    const line = ['env', '-i', ...variables.map(([name, value]) => `${name}=${value}`), ...command];
    const quoted = line.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(' ');
    const size = ['-x', String(columns), '-y', String(rows)];
    const script = `${quoted}; echo "exit code $?"; exec sleep 600`;
    const folder = await mkdtemp(join(tmpdir(), 'signalbox-tmux-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const server = await TmuxControl.start(join(folder, `signalbox-chat-${process.pid}`));
    onTestFinished(() => server.close());
    await server.run('new-session', '-d', '-s', NAME, ...size, 'sh', '-c', script);
    return new TmuxPane(server);
  }

  /** Press keys by their tmux names. */
  async press(...keys: string[]): Promise<void> {
    await this.#tmux('send-keys', ...keys);
  }

  /** Type characters as they are. */
  async type(text: string): Promise<void> {
    await this.#tmux('send-keys', '-l', '--', text);
  }

  /** Type a prompt, see it in the box, and send it. */
  async say(text: string): Promise<void> {
    await this.type(text);
    await this.see(text.slice(-20));
    await this.press('Enter');
  }

  /** Paste as a terminal does that brackets what is pasted. */
  async paste(text: string): Promise<void> {
    await this.#server.run('set-buffer', '-b', 'pasted', '--', text);
    await this.#tmux('paste-buffer', '-p', '-b', 'pasted');
  }

  async resize(columns: number, rows: number): Promise<void> {
    await this.#tmux('resize-window', '-x', String(columns), '-y', String(rows));
  }

  /** What is on the screen. */
  screen(): Promise<string> {
    return this.#tmux('capture-pane', '-p');
  }

  /** What is on the screen, colours included, with `␛` for the escape. */
  async colors(): Promise<string> {
    return (await this.#tmux('capture-pane', '-p', '-e')).replaceAll('\x1b', '␛');
  }

  /** Everything, with what has scrolled away. */
  all(): Promise<string> {
    return this.#tmux('capture-pane', '-p', '-J', '-S', '-');
  }

  /** Of its window. */
  async title(): Promise<string> {
    return (await this.#tmux('display', '-p', '#{pane_title}')).trim();
  }

  /** Whether its window has rung. */
  async hasRung(): Promise<boolean> {
    return (await this.#tmux('display', '-p', '#{window_bell_flag}')).trim() === '1';
  }

  async cursor(): Promise<{ x: number; y: number }> {
    const [x, y] = (await this.#tmux('display', '-p', '#{cursor_x} #{cursor_y}')).split(' ').map(Number);
    return { x: x ?? -1, y: y ?? -1 };
  }

  /** Wait until the screen holds `text`, or fits. */
  async see(sought: string | ((screen: string) => boolean)): Promise<string> {
    const fits = typeof sought === 'string' ? (screen: string) => screen.includes(sought) : sought;
    const end = Date.now() + EVENT_MS;
    for (;;) {
      const screen = await this.screen();
      if (fits(screen)) return screen;
      if (Date.now() > end) throw new Error(`The screen never showed ${String(sought)}:\n${screen}`);
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    }
  }

  /** Wait for a question that takes keys: one that has just appeared takes none. */
  asked(sought: string): Promise<string> {
    return this.see((screen) => screen.includes(sought) && !screen.includes('One moment …'));
  }

  /** Close the terminal, as one closes its window. */
  async close(): Promise<void> {
    await this.#server.close();
  }

  #tmux(command: string, ...args: string[]): Promise<string> {
    return this.#server.run(command, '-t', `=${NAME}:`, ...args);
  }
}

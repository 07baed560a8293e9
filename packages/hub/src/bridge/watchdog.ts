import { type ChildProcess, spawn } from 'node:child_process';

/**
 * Waits for the end of its input, which is the end of the bridge however that came. A shell takes a fortieth of
 * the memory of Node; it becomes Node only when there is something to end.
 */
const WAIT_THEN_END = 'read -r agent; read -r goodbye || exec "$@" "$agent"';

/** A machine on which no watchdog stays alive is left without one after this many. */
const MAX_WATCHDOGS = 10;

/** A process that ends the agent's tree when the bridge is gone without a goodbye, by kill -9 for example. */
export class Watchdog {
  readonly #command: readonly string[];
  readonly #log: (text: string) => void;
  #state: 'watching' | 'dismissed' = 'watching';
  #shell: ChildProcess;
  #agent = '';
  #started = 0;

  /** `endTree` is the command that ends the tree; it is given the agent's process id as its last word. */
  constructor(endTree: readonly string[], log: (text: string) => void) {
    this.#command = endTree;
    this.#log = log;
    this.#shell = this.#start();
  }

  /** The agent lives as this process. */
  watch(pid: number): void {
    this.#agent = `${pid}\n`;
    this.#shell.stdin?.write(this.#agent);
  }

  /** The tree is gone: nobody has to be ended any more. */
  dismiss(): void {
    this.#state = 'dismissed';
    this.#shell.stdin?.end('\ngoodbye\n');
  }

  #start(): ChildProcess {
    this.#started += 1;
    // A session of its own: what ends the bridge's terminal or process group must not end this.
    const shell = spawn('/bin/sh', ['-c', WAIT_THEN_END, 'sh', ...this.#command], {
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
      env: { PATH: process.env.PATH },
    });
    shell.unref();
    shell.stdin?.on('error', () => {});
    shell.once('error', (error) => this.#log(`No watchdog could be started: ${error.message}`));
    shell.once('exit', () => this.#gone());
    if (this.#agent) shell.stdin?.write(this.#agent);
    return shell;
  }

  #gone(): void {
    if (this.#state === 'dismissed' || this.#started === MAX_WATCHDOGS) return;
    this.#log('The watchdog is gone; another one is started.');
    this.#shell = this.#start();
  }
}

import type { WireLine } from '@signalbox/protocol';
import { type ChildExit, type ChildTransport, spawnTransport } from '@signalbox/transport';
import { agentEnvironment } from './agent-environment.ts';
import { endTree, membersOf, TREE_MARK } from './agent-tree.ts';
import { SeenChildren } from './seen-children.ts';

/** How much may wait for an agent that does not read; past it the hub's orders wait too. */
export const UNREAD_BYTES = 64 * 1024 * 1024;

/** How much of an agent's stderr a report carries. */
export const REPORTED_STDERR_CHARS = 4096;

/** What to run, and what its tree is found by. */
export interface OwnedAgentOptions {
  command: readonly string[];
  cwd: string;
  /** Variables beside those of this process. */
  env: Readonly<Record<string, string>>;
  mark: string;
  onStderr: (text: string) => void;
}

/** An agent with its whole process tree: lines in, lines out, and an end that leaves nobody behind. */
export class OwnedAgent {
  readonly #transport: ChildTransport;
  readonly #mark: string;
  readonly #children: SeenChildren;
  #unreadBytes = 0;

  /** Rejects with `CHILD_NOT_STARTED`. */
  static async start({ command, cwd, env, mark, onStderr }: OwnedAgentOptions): Promise<OwnedAgent> {
    const [program = '', ...args] = command;
    const options = {
      command: program,
      args,
      cwd,
      env: agentEnvironment(process.env, { ...env, [TREE_MARK]: mark }),
      onStderr,
      // An agent that has closed its stdout may still have work to do, and must not lose its stdin for it.
      allowHalfOpen: true,
    };
    return new OwnedAgent(await spawnTransport(options), mark);
  }

  private constructor(transport: ChildTransport, mark: string) {
    this.#transport = transport;
    this.#mark = mark;
    this.#children = new SeenChildren(transport.pid);
  }

  get pid(): number {
    return this.#transport.pid;
  }

  /** Settles when the agent itself is gone and all that it wrote was read. */
  get exited(): Promise<ChildExit> {
    return this.#transport.exited;
  }

  /** The last lines of its stderr. */
  get stderr(): string {
    const tail = this.#transport.stderrTail;
    if (tail.length <= REPORTED_STDERR_CHARS) return tail;
    const cut = tail.slice(-REPORTED_STDERR_CHARS);
    return cut.slice(cut.indexOf('\n') + 1);
  }

  /** How many processes of its tree live beside the agent itself. */
  get descendants(): number {
    return membersOf(this.#mark).filter((pid) => pid !== this.pid).length;
  }

  async *lines(): AsyncGenerator<WireLine> {
    for await (const line of this.#transport.receive()) {
      this.#children.lookNowAndThen();
      yield line;
    }
  }

  /** Pass a line to the agent's stdin. Waits only when very much is unread: orders to end it come the same way. */
  async take(line: WireLine): Promise<void> {
    this.#unreadBytes += line.byteLength;
    const taken = this.#transport.send(line.bytes()).then(() => {
      this.#unreadBytes = 0;
    });
    taken.catch(() => {});
    if (this.#unreadBytes > UNREAD_BYTES) await taken;
  }

  endInput(): void {
    void this.#transport.endInput();
  }

  /** Ask it to leave, and make it after a while; or make it at once. */
  stop(how: 'gently' | 'at_once'): void {
    this.#children.look();
    if (how === 'gently') void this.#transport.close();
    else this.#transport.kill('SIGKILL');
  }

  /** End what outlived the agent; says how many did. */
  endLeftOver(): Promise<number> {
    return endTree(this.#mark, this.pid, () => this.#children.living);
  }
}

import type { Launch, Launches } from '../store/launch.ts';
import { LaunchElsewhereError } from './launch-errors.ts';

/** The launches of this node: those of other nodes are known, and cannot be acted on. */
export class LaunchesHere implements Launches {
  readonly #launches: Launches;
  readonly #node: string;

  constructor(launches: Launches, node: string) {
    this.#launches = launches;
    this.#node = node;
  }

  async keep(session: string, launch: Launch): Promise<void> {
    await this.#launches.keep(session, { ...launch, spec: { ...launch.spec, node: this.#node } });
  }

  /** Raises `LAUNCH_ELSEWHERE`. */
  async get(session: string): Promise<Launch | undefined> {
    const launch = await this.#launches.get(session);
    // One that was launched before there were nodes may be anywhere: this machine is as good as any.
    const { node = this.#node } = launch?.spec ?? {};
    if (node !== this.#node) throw new LaunchElsewhereError(session, node);
    return launch;
  }
}

/** The launch of a session; undefined for one of another node as well, where nobody asked for something that it keeps from being done. */
export async function launchHere(launches: Launches, session: string): Promise<Launch | undefined> {
  try {
    return await launches.get(session);
  } catch (error) {
    if (error instanceof LaunchElsewhereError) return undefined;
    throw error;
  }
}

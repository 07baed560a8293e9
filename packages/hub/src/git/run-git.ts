import { LIMITS } from '@signalbox/protocol';
import { Git, GitFailedError } from '@signalbox/transport/git';

/** A checkout of a large repository takes minutes. */
const GIT_SECONDS = 600;

/** Git in a folder, with the patience that it takes to change a repository; what it says must come whole. */
export class RepositoryGit {
  readonly #git: Git;
  readonly #env: Readonly<Record<string, string>>;

  private constructor(git: Git, env: Readonly<Record<string, string>>) {
    this.#git = git;
    this.#env = env;
  }

  /** `env` is for whoever has to find its processes again. Raises `GIT_UNAVAILABLE`. */
  static async in(folder: string, env: Readonly<Record<string, string>> = {}): Promise<RepositoryGit> {
    return new RepositoryGit(await Git.open(folder), env);
  }

  /** What git prints. Raises `GIT_FAILED`. Whatever comes from outside must follow `--` or `--end-of-options`. */
  async run(words: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<string> {
    const maxBytes = LIMITS.gitOutputBytes.most;
    const options = { env: { ...this.#env, ...env }, seconds: GIT_SECONDS, maxBytes };
    const { stdout, isCut } = await this.#git.run(words, options);
    if (isCut) throw new GitFailedError(`it says more than ${maxBytes} bytes`);
    return stdout.toString();
  }

  /** The first line of it; undefined when git fails. */
  async line(words: readonly string[]): Promise<string | undefined> {
    try {
      return (await this.run(words)).split('\n')[0];
    } catch (error) {
      if (error instanceof GitFailedError) return undefined;
      throw error;
    }
  }
}

import { type HubApi, HubRefusedError, type NewWorktree } from 'signalbox/hub';
import { CommandOptionsError } from '../command-options.ts';
import { harmless } from '../harmless-text.ts';
import { setupWords } from '../worktrees/worktree-words.ts';
import { isSomebodyThere, saysYes } from '../yes-or-no.ts';

/** What a command line says of worktrees. */
export interface WorktreeOptions {
  worktree?: boolean;
  base?: string;
  'no-setup'?: boolean;
}

/** The worktree that a command line asks for, named for the prompt. Raises `COMMAND_OPTIONS`. */
export function worktreeOf(
  { worktree, base, 'no-setup': skips }: WorktreeOptions,
  prompt: string,
): NewWorktree | undefined {
  if (!worktree && (base !== undefined || skips))
    throw new CommandOptionsError('run', '--base and --no-setup are for a new worktree: say --worktree too.');
  if (base?.startsWith('-')) throw new CommandOptionsError('run', `${base} is no branch, tag or commit.`);
  if (!worktree) return undefined;
  return {
    named: prompt.slice(0, 1000),
    ...(base === undefined ? {} : { base }),
    ...(skips ? { setup: 'skip' } : {}),
  };
}

/** Show a person the set-up that they have not trusted yet; true when they trust it now. */
export async function isSetupTrustedNow(api: HubApi, folder: string, error: unknown): Promise<boolean> {
  const isAsked = error instanceof HubRefusedError && error.code === 'SETUP_NOT_TRUSTED' && isSomebodyThere();
  if (!isAsked) return false;
  const { root, setup } = await api.repository(folder);
  if (!setup) return false;
  process.stdout.write(setupWords(setup));
  if (!(await saysYes(`Trust this for ${harmless(root)}, until it changes?`))) return false;
  await api.trustSetup(folder, setup.text);
  return true;
}

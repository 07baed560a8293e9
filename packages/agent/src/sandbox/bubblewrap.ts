import { execFile } from 'node:child_process';
import { messageOf } from '@signalbox/protocol';
import { childEnvironment } from '../base/child-environment.ts';
import type { Mount } from './mounts.ts';
import { SandboxUnavailableError } from './sandbox-errors.ts';

/** How long a machine may take to make an empty sandbox. */
const PROBE_LIMIT_MS = 20_000;

/** The sandbox's own things; per command, and gone with it. */
export const INSIDE = '/run/signalbox';

/** Nothing of the machine but its files, read-only; nothing of its processes, network and services. */
const CUT_OFF = [
  '--unshare-user-try',
  '--unshare-pid',
  '--unshare-net',
  '--unshare-ipc',
  '--unshare-uts',
  '--unshare-cgroup-try',
  '--cap-drop',
  'ALL',
  '--die-with-parent',
  '--ro-bind',
  '/',
  '/',
  '--dev',
  '/dev',
  '--proc',
  '/proc',
  '--tmpfs',
  '/run',
];

/** What a sandbox is made of. */
export interface SandboxLayout {
  /** Becomes `/tmp`. */
  readonly temporaryFolder: string;
  readonly mounts: readonly Mount[];
  /** Files that are seen below {@link INSIDE}, by name. */
  readonly inside: Readonly<Record<string, string>>;
  readonly cwd: string;
}

/** What `bwrap` is called with to run a command. */
export function bubblewrapArgs(layout: SandboxLayout, command: readonly string[]): string[] {
  return [
    ...CUT_OFF,
    '--bind',
    layout.temporaryFolder,
    '/tmp',
    ...layout.mounts.flatMap(mountArgs),
    // Only now: inner mounts need their places made first.
    ...layout.mounts.flatMap((mount) => (isEmptied(mount) ? ['--remount-ro', mount.path] : [])),
    ...Object.entries(layout.inside).flatMap(([name, file]) => ['--bind', file, `${INSIDE}/${name}`]),
    '--chdir',
    layout.cwd,
    '--',
    ...command,
  ];
}

function mountArgs(mount: Mount): string[] {
  const { path, access } = mount;
  if (isEmptied(mount)) return ['--tmpfs', path];
  if (access === 'none') return ['--ro-bind', '/dev/null', path];
  return [access === 'write' ? '--bind' : '--ro-bind', path, path];
}

function isEmptied({ access, isFolder }: Mount): boolean {
  return access === 'none' && isFolder;
}

/** Make an empty sandbox. Throws {@link SandboxUnavailableError} where that does not work. */
export async function probeBubblewrap(env: NodeJS.ProcessEnv): Promise<void> {
  if (process.platform !== 'linux')
    throw new SandboxUnavailableError(
      `this system is ${process.platform}`,
      'Use Linux, or a container or virtual machine of your own, and leave the sandbox off.',
    );
  const error = await new Promise<Error | null>((resolve) => {
    execFile(
      'bwrap',
      [...CUT_OFF, '--', 'true'],
      { env: childEnvironment(env), timeout: PROBE_LIMIT_MS },
      resolve,
    );
  });
  if (error === null) return;
  if ('code' in error && error.code === 'ENOENT')
    throw new SandboxUnavailableError(
      'bubblewrap is not installed',
      'Install it (Debian, Ubuntu: apt-get install bubblewrap; Fedora: dnf install bubblewrap) and start again.',
      error,
    );
  throw new SandboxUnavailableError(
    `bubblewrap does not work here (${messageOf(error).trim().split('\n').at(-1)})`,
    'Let this user make namespaces (user.max_user_namespaces, AppArmor), and a container mount its own /proc.',
    error,
  );
}

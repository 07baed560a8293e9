import { join } from 'node:path';
import { cachedPackage } from '@signalbox/testing/cached-package';
import { nodeRelease } from '@signalbox/testing/node-releases';

/** A program that people run with `claude`, as it is published on npm. */
export interface PublicProgram {
  /** Its name on npm. */
  readonly name: string;
  readonly version: string;
  /** It does not run without what npm calls optional; others have copies of the CLI there, of some 200 MB. */
  readonly withOptional?: boolean;
  /** Packages that it needs beside itself, with their versions. */
  readonly also?: readonly string[];
  /** Packages that it gets in the place of others, as in a manifest. */
  readonly overrides?: Readonly<Record<string, string>>;
}

/** Most of today's programs want a newer Node than ours does. */
const NODE_VERSION = '24.21.0';

export interface InstalledProgram {
  /** The folder that has `node_modules`. */
  readonly folder: string;
  /** A file of the program itself. */
  path(name: string): string;
  /** The folder of the Node that it runs on, for a PATH. */
  readonly nodeFolder: string;
}

/** The program, installed on first use, outside of the tree. */
export async function installed({
  name,
  version,
  withOptional,
  also = [],
  overrides,
}: PublicProgram): Promise<InstalledProgram> {
  const { folder: nodeFolder } = await nodeRelease(NODE_VERSION);
  const options = [...(withOptional ? [] : ['--omit=optional']), ...also];
  const folder = await cachedPackage(name, version, options, overrides);
  return { folder, nodeFolder, path: (file) => join(folder, 'node_modules', name, file) };
}

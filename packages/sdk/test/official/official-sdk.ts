import { pathToFileURL } from 'node:url';
import { referenceSdkEntry } from '../../../../conformance/references.ts';
import type * as ours from '../../src/index.ts';

/** The pinned official package that has everything, as a program imports it: it is called, and never looked into. */
export async function officialSdk(version = '0.3.325'): Promise<typeof ours> {
  return import(pathToFileURL(await referenceSdkEntry(version)).href);
}

/** It is installed on first use. */
export const INSTALL_TIMEOUT_MS = 600_000;

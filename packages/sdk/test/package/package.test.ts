import { afterAll, beforeAll } from 'vitest';
import { describeAsInstalled } from './as-installed.ts';
import { InstalledPackage } from './installed-package.ts';
import { describeOnEachNode } from './on-each-node.ts';

const TIMEOUT_MS = 300_000;

/** Packed and installed once for all who use it. */
let installed: InstalledPackage;

beforeAll(async () => {
  installed = await InstalledPackage.install();
}, TIMEOUT_MS);

afterAll(() => installed.remove());

describeAsInstalled(() => installed);
describeOnEachNode(() => installed);

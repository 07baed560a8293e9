import { afterAll, beforeAll } from 'vitest';
import { describeAsInstalled } from './as-installed.ts';
import { InstalledPackage } from './installed-package.ts';
import { describeOnEachNode } from './on-each-node.ts';

/** Packed and installed once for all who use it. */
let installed: InstalledPackage;

beforeAll(async () => {
  installed = await InstalledPackage.install();
});

afterAll(() => installed.remove());

describeAsInstalled(() => installed);
describeOnEachNode(() => installed);

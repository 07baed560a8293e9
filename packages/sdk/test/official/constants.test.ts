import { expect, it } from 'vitest';
import * as ours from '../../src/index.ts';
import { INSTALL_TIMEOUT_MS, officialSdk } from './official-sdk.ts';

it('[SD650] what agents call their tools, and how their words about limits begin, is what the official package says', {
  timeout: INSTALL_TIMEOUT_MS,
}, async () => {
  const constants = (sdk: typeof ours): Record<string, unknown> =>
    Object.fromEntries(Object.entries(sdk).filter(([name]) => /^[A-Z][A-Z_]+$/.test(name)));
  const theirs = constants(await officialSdk());
  expect(Object.keys(theirs).length).toBeGreaterThan(7);
  expect(constants(ours)).toMatchObject(theirs);
});

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '@signalbox/testing/hub/test-parts';
import { expect, it } from 'vitest';
import { launchFolder } from '../../src/launch/launch-folder.ts';

it('[LN271] a folder is named by its whole path, or from the home of whoever runs the hub', () => {
  const home = temporaryFolder();
  mkdirSync(join(home, 'project'));
  expect(launchFolder(home)).toBe(home);
  expect(['~', '~/', '~/project'].map((name) => launchFolder(name, home))).toEqual([
    home,
    `${home}/`,
    join(home, 'project'),
  ]);
  expect(() => launchFolder('~/nothing', home)).toThrow(`${home}/nothing is no folder`);
  for (const name of ['~root', 'project', '', './~'])
    expect(() => launchFolder(name, home)).toThrow(/is no folder of the hub's machine.*~\//);
});

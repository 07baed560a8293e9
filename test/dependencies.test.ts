import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const packages = join(dirname(dirname(fileURLToPath(import.meta.url))), 'packages');

interface Manifest {
  dependencies?: Record<string, string>;
  exports?: Record<string, string | Record<string, string>>;
}

function manifestOf(folder: string): Manifest {
  return JSON.parse(readFileSync(join(packages, folder, 'package.json'), 'utf8'));
}

/** Who uses what, of all that is not ours. */
function declared(): Record<string, string[]> {
  const users: Record<string, string[]> = {};
  for (const folder of readdirSync(packages))
    for (const name of Object.keys(manifestOf(folder).dependencies ?? {}))
      if (!/^(@signalbox\/|signalbox$)/.test(name)) (users[name] ??= []).push(folder);
  return users;
}

/** The same as docs/DEPENDENCIES.md has it. */
function documented(): Record<string, string[]> {
  const text = readFileSync(join(packages, '../docs/DEPENDENCIES.md'), 'utf8');
  const [, atRunTime = ''] = /## At run time\n([^]*?)\n## /.exec(text) ?? [];
  const rows = [...atRunTime.matchAll(/^\| (`.*?`) \| ([\w, ]+) \|/gm)];
  return Object.fromEntries(
    rows.flatMap(([, names = '', users = '']) =>
      [...names.matchAll(/`([^`]+)`/g)].map(([, name = '']) => [name, users.split(', ').toSorted()]),
    ),
  );
}

describe('the manifests', () => {
  it('[RE842] have the dependencies that docs/DEPENDENCIES.md gives a reason for, and no other', () => {
    const known = declared();
    expect(Object.keys(known).length).toBeGreaterThan(5);
    expect(documented()).toEqual(
      Object.fromEntries(Object.entries(known).map(([name, users]) => [name, users.toSorted()])),
    );
  });

  it.each(readdirSync(packages))('[RE842] %s exports files that are there', (folder) => {
    const files = Object.values(manifestOf(folder).exports ?? {}).flatMap((one) =>
      typeof one === 'string' ? one : Object.values(one),
    );
    // Of a pattern the folder.
    const places = files.map((file) => file.replace(/\*.*$/, ''));
    expect(places.filter((place) => !existsSync(join(packages, folder, place)))).toEqual([]);
  });
});

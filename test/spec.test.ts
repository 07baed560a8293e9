import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { promised, provedBy } from './promises.js';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

function filesBelow(folder: string, pattern: RegExp): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => pattern.test(name) && !name.includes('node_modules'))
    .map((name) => join(root, folder, name));
}

/** Numbers that titles of tests carry; a title may carry several. */
function proved(): Set<string> {
  const files = [...filesBelow('packages', /\btest\b.*\.ts$/), ...filesBelow('test', /\.test\.ts$/)];
  const titles = files.flatMap((path) =>
    Array.from(
      readFileSync(path, 'utf8').matchAll(/[`'"](\[[A-Z]{2,4}\d+\](?:\[[A-Z]{2,4}\d+\])*)/g),
      (match) => match[1] ?? '',
    ),
  );
  return new Set(titles.flatMap(provedBy));
}

/** Codes that the source raises. */
function codesInSource(): Set<string> {
  const source = filesBelow('packages', /\bsrc\b.*\.tsx?$/).map((path) => readFileSync(path, 'utf8'));
  const pattern = /(?:super|new SignalboxError)\(\s*'([A-Z][A-Z0-9_]+)'/g;
  return new Set(source.flatMap((text) => Array.from(text.matchAll(pattern), (match) => match[1] ?? '')));
}

describe('docs/SPEC.md', () => {
  it('[RE4] numbers every promise once', () => {
    const numbers = promised();
    expect(numbers.length).toBeGreaterThan(50);
    expect(numbers.filter((number, index) => numbers.indexOf(number) !== index)).toEqual([]);
  });

  it('[RE4] every promise has a test, and every number in a title is a promise', () => {
    const listed = promised();
    const tested = proved();
    expect(listed.filter((number) => !tested.has(number))).toEqual([]);
    expect([...tested].filter((number) => !listed.includes(number))).toEqual([]);
  });
});

describe('docs/ERRORS.md', () => {
  it('[RE5] lists every code that the source raises, and no other', () => {
    const text = readFileSync(join(root, 'docs/ERRORS.md'), 'utf8');
    const documented = Array.from(text.matchAll(/^\| `([A-Z][A-Z0-9_]+)` \|/gm), (match) => match[1] ?? '');
    const raised = codesInSource();
    expect([...raised].filter((code) => !documented.includes(code))).toEqual([]);
    expect(documented.filter((code) => !raised.has(code))).toEqual([]);
  });
});

import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

const DOCUMENTS = [
  'README.md',
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  'docs/DECISIONS.md',
  'docs/SPEC.md',
  'docs/GLOSSARY.md',
  'docs/ERRORS.md',
  'docs/LIMITS.md',
  'docs/DEPENDENCIES.md',
  'docs/BENCHMARKS.md',
  'docs/SCENARIOS.md',
  'docs/CONFORMANCE.md',
  'docs/SETTINGS.md',
  'docs/MODELS.md',
  'docs/CHAT.md',
  'docs/CLI.md',
  'docs/HUB.md',
  'docs/LOOPS.md',
  'docs/STREAM.md',
  'docs/WORKSPACES.md',
  'docs/CHAOS.md',
  'docs/CONSOLE.md',
  'docs/RUNNING.md',
  'docs/SDK.md',
  'docs/api/README.md',
];

describe('documents', () => {
  it.each(DOCUMENTS)('[RE7] %s links only to files that exist', (path) => {
    const text = readFileSync(join(root, path), 'utf8');
    const links = Array.from(
      text.matchAll(/\]\(([^)#\s]+)[^)]*\)|src="([^"]+)"/g),
      (match) => match[1] ?? match[2] ?? '',
    );
    const local = links.filter((link) => !/^https?:/.test(link));
    expect(local.filter((link) => !existsSync(join(root, dirname(path), link)))).toEqual([]);
  });
});

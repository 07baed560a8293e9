import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const SPEC = join(dirname(dirname(fileURLToPath(import.meta.url))), 'docs/SPEC.md');

/** The numbers that docs/SPEC.md lists, in its order. */
export function promised(): string[] {
  const spec = readFileSync(SPEC, 'utf8');
  return Array.from(spec.matchAll(/^- \*\*([A-Z]{2,4}\d+)\*\*/gm), (match) => match[1] ?? '');
}

/** The promises that a test's title says it proves: `[ND1][ND2] …`. */
export function provedBy(title: string): string[] {
  const [head = ''] = /^(?:\[[A-Z]{2,4}\d+\])+/.exec(title) ?? [];
  return head.match(/[A-Z]{2,4}\d+/g) ?? [];
}

import type { Outcome } from './call.ts';

/** The memory of what an outcome holds: lines of a window, and contents of prompts. */
interface GivenBuffers {
  windows: ArrayBuffer[];
  prompts: ArrayBuffer[];
}

/**
 * What is given to the thread that asked: so it costs no copy. A piece that shares its memory with anything else is copied instead.
 */
export function givenBuffers(outcomes: readonly Outcome[]): GivenBuffers {
  const [windows, prompts] = [new Set<ArrayBuffer>(), new Set<ArrayBuffer>()];
  for (const outcome of outcomes) {
    const value = outcome.state === 'done' ? outcome.value : undefined;
    for (const part of listOf(value, 'parts')) give(part, 'body', windows);
    for (const prompt of [value, ...listIn(value), ...listOf(value, 'results')])
      give(prompt, 'content', prompts);
  }
  return { windows: [...windows], prompts: [...prompts] };
}

function give(value: unknown, name: string, given: Set<ArrayBuffer>): void {
  const bytes: unknown = isObject(value) ? Reflect.get(value, name) : undefined;
  if (!(bytes instanceof Uint8Array) || !(bytes.buffer instanceof ArrayBuffer)) return;
  if (bytes.byteLength === bytes.buffer.byteLength) given.add(bytes.buffer);
}

function listOf(value: unknown, name: string): unknown[] {
  return isObject(value) ? listIn(Reflect.get(value, name)) : [];
}

function listIn(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

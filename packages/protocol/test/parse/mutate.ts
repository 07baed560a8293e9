import { isObject, type Json } from '../schema/json.ts';

/** Numbers in [0, 1) that the seed alone decides (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

type Random = () => number;

/** The line with a few things wrong with it: in its bytes, its keys, its values or its depth. */
export function mutate(line: string, random: Random): string {
  if (random() < 0.25) return flipBytes(line, random);
  const root: Json = JSON.parse(line);
  const edits = 1 + Math.floor(random() * 3);
  for (let edit = 0; edit < edits; edit += 1) editSomewhere(root, random);
  const edited = JSON.stringify(root);
  return random() < 0.2 ? duplicateKey(edited, random) : edited;
}

function flipBytes(line: string, random: Random): string {
  const bytes = new TextEncoder().encode(line);
  const flips = 1 + Math.floor(random() * 4);
  for (let flip = 0; flip < flips; flip += 1)
    bytes[Math.floor(random() * bytes.length)] = Math.floor(random() * 256);
  return new TextDecoder().decode(bytes);
}

/** Written twice, a key means its last value. */
function duplicateKey(line: string, random: Random): string {
  const keys = [...line.matchAll(/"(\w+)":/g)];
  const key = keys[Math.floor(random() * keys.length)]?.[1];
  return key === undefined ? line : line.replace(/\}$/, `,"${key}":${JSON.stringify(strangeValue(random))}}`);
}

function editSomewhere(root: Json, random: Random): void {
  let at: Json = root;
  for (;;) {
    if (!isObject(at) && !Array.isArray(at)) return;
    const keys = Object.keys(at);
    const key = keys[Math.floor(random() * keys.length)];
    if (key === undefined) return;
    const child: Json | undefined = Array.isArray(at) ? at[Number(key)] : at[key];
    if (child !== undefined && child !== null && typeof child === 'object' && random() < 0.7) {
      at = child;
      continue;
    }
    if (Array.isArray(at)) at[Number(key)] = strangeValue(random);
    else if (random() < 0.4) delete at[key];
    else at[key] = strangeValue(random);
    return;
  }
}

function strangeValue(random: Random): Json {
  const values: (() => Json)[] = [
    () => null,
    () => true,
    () => -1e308,
    () => '',
    () => 'constructor',
    () => '\u2028\ud800',
    () => [],
    () => ({}),
    () => JSON.parse('{"__proto__":{"type":"assistant"},"hasOwnProperty":1,"type":"toString"}'),
    () => [{ type: 'text' }, { type: 'thinking', thinking: 1 }, [[]]],
    () => JSON.parse(`${'[{"type":"tool_result","content":'.repeat(50)}[]${'}]'.repeat(50)}`),
    () => JSON.parse(`${'{"a":'.repeat(200)}1${'}'.repeat(200)}`),
  ];
  return values[Math.floor(random() * values.length)]?.() ?? null;
}

import type { SeededRandom } from '@signalbox/testing/seeded-random';
import { isObject, type Json } from '../schema/json.ts';

/** The line with a few things wrong with it: in its bytes, its keys, its values or its depth. */
export function mutate(line: string, random: SeededRandom): string {
  if (random.fraction() < 0.25) return flipBytes(line, random);
  const root: Json = JSON.parse(line);
  const edits = 1 + random.below(3);
  for (let edit = 0; edit < edits; edit += 1) editSomewhere(root, random);
  const edited = JSON.stringify(root);
  return random.fraction() < 0.2 ? duplicateKey(edited, random) : edited;
}

function flipBytes(line: string, random: SeededRandom): string {
  const bytes = new TextEncoder().encode(line);
  const flips = 1 + random.below(4);
  for (let flip = 0; flip < flips; flip += 1) bytes[random.below(bytes.length)] = random.below(256);
  return new TextDecoder().decode(bytes);
}

/** Written twice, a key means its last value. */
function duplicateKey(line: string, random: SeededRandom): string {
  const keys = [...line.matchAll(/"(\w+)":/g)];
  const key = keys[random.below(keys.length)]?.[1];
  return key === undefined ? line : line.replace(/\}$/, `,"${key}":${JSON.stringify(strangeValue(random))}}`);
}

function editSomewhere(root: Json, random: SeededRandom): void {
  let at: Json = root;
  for (;;) {
    if (!isObject(at) && !Array.isArray(at)) return;
    const keys = Object.keys(at);
    const key = keys[random.below(keys.length)];
    if (key === undefined) return;
    const child: Json | undefined = Array.isArray(at) ? at[Number(key)] : at[key];
    if (child !== undefined && child !== null && typeof child === 'object' && random.fraction() < 0.7) {
      at = child;
      continue;
    }
    if (Array.isArray(at)) at[Number(key)] = strangeValue(random);
    else if (random.fraction() < 0.4) delete at[key];
    else at[key] = strangeValue(random);
    return;
  }
}

function strangeValue(random: SeededRandom): Json {
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
  return values[random.below(values.length)]?.() ?? null;
}

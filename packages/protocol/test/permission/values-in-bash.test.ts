import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SeededRandom } from '@signalbox/testing/seeded-random';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readShellLine, type ShellLine } from '../../src/permission/shell/shell-line.ts';
import { ANY_NAME, type WordValues } from '../../src/permission/shell/word-values.ts';

const WORDS = 3_000;
const LINES = 600;
const BATCH = 200;
const TIME_LIMIT_MS = 120_000;

/** A folder with names that patterns may fit. */
function openFolder(): { folder: string; home: string } {
  const root = mkdtempSync(join(tmpdir(), 'values-in-bash-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  for (const name of ['home', 'work/b', 'work/.e']) mkdirSync(join(root, name), { recursive: true });
  for (const name of ['.env', 'a', 'ab', 'b/c', 'b/.d', 'x y', '-n', '{a', 'a,b'])
    writeFileSync(join(root, 'work', name), '');
  return { folder: join(root, 'work'), home: join(root, 'home') };
}

/** What the real bash prints for each line. */
function outputs(lines: readonly string[], { folder, home }: ReturnType<typeof openFolder>): string[] {
  const printed: string[] = [];
  for (let at = 0; at < lines.length; at += BATCH) {
    const batch = lines.slice(at, at + BATCH);
    const variables = Object.fromEntries(batch.map((line, index) => [`L${index}`, line]));
    const script = batch
      .map((_, index) => `( eval "$L${index}" ) 2>/dev/null </dev/null; printf '\\0'`)
      .join('\n');
    const env = { PATH: process.env['PATH'], HOME: home, ...variables };
    const text = execFileSync('bash', ['-c', script], { cwd: folder, env, encoding: 'utf8' });
    printed.push(...text.split('\0').slice(0, batch.length));
  }
  return printed;
}

function isSaid({ unreadable, oddity, hazards }: ShellLine): boolean {
  return unreadable === undefined && oddity === undefined && hazards.length === 0;
}

function textsOf(values: WordValues | undefined): readonly string[] | undefined {
  return values === undefined || typeof values === 'string' ? undefined : values.map(({ text }) => text);
}

const PIECES =
  `a b c . .. / .env e n v { , } {a,b} 1 " " ' ' \\ $x \${x} $y "$x" "$y" ~ ~/ * ? [ ] ! ^ - = : $' $" @ + ( ) % $z "$z" [a] [!b] {.env,a} \${x%b} \${x#a} $(echo) "$(echo)" $HOME "$HOME" $PWD \\{ \\, {1..3} {a..c}`.split(
    ' ',
  );

function fits(text: string, word: string, folder: string): boolean {
  const own = word.replaceAll(folder, '.');
  if (text.includes(ANY_NAME)) return true;
  return text === word || text === own || text.replace('/dev/stdin', '/dev/fd/63') === own;
}

/** Lines that set a variable somewhere, and print it in many places. */
class LineMaker {
  readonly #random: SeededRandom;
  #isSet = false;
  #uses = 0;

  constructor(random: SeededRandom) {
    this.#random = random;
  }

  line(): string {
    this.#isSet = false;
    this.#uses = 0;
    return `${this.#list(0)}; ${this.#use()}`;
  }

  #use(): string {
    return `printf '<${this.#uses++}:%s>' "$x/q"`;
  }

  #assign(): string {
    if (this.#isSet) return this.#use();
    this.#isSet = true;
    const loop = (words: string): string => `for x in${words}; do ${this.#use()}; done`;
    return this.#random.pick(['x=a', 'x=$y', 'x=b y=c', loop(' a b'), loop('')]);
  }

  #list(depth: number): string {
    return Array.from({ length: 1 + this.#random.below(3) }, () => this.#part(depth)).join('; ');
  }

  #part(depth: number): string {
    const list = (): string => this.#list(depth + 1);
    const part = (): string => this.#part(depth + 1);
    const simple = [() => this.#assign(), () => this.#use(), () => this.#random.pick(['true', 'false'])];
    const nested = [
      () => `( ${list()} )`,
      () => `{ ${list()}; }`,
      () => `if ${list()}; then ${list()}; fi`,
      () => `if ${list()}; then ${list()}; elif ${list()}; then ${list()}; else ${list()}; fi`,
      () => `while ${list()}; do ${list()}; break; done`,
      () => `for i in ${this.#random.pick(['1', '1 2', ''])}; do ${list()}; done`,
      () => `case a in ${this.#random.pick(['a', 'b'])}) ${list()};; *) ${list()};; esac`,
      () => `${part()} && ${part()} || ${part()}`,
      () => `${part()} || ${part()} && ${part()}`,
      () => `${part()} && ${part()} && ${part()}`,
      () => `${part()} | { cat; ${part()}; }`,
      () => `echo "$(${list()})"`,
      () => `cat <(${list()})`,
    ];
    return this.#random.pick(depth > 3 ? simple : [...simple, ...simple, ...nested])();
  }
}

describe('what the words of a line are said to become', () => {
  it(
    '[PM3731] is what bash makes of them',
    () => {
      const place = openFolder();
      const random = new SeededRandom(14);
      const words = Array.from({ length: WORDS }, () =>
        Array.from({ length: 1 + random.below(7) }, () => random.pick(PIECES)).join(''),
      ).filter((word) => !word.startsWith('#'));
      const lines = words
        .map((word) => readShellLine(`x=ab; y='a b'; z='.e*'; printf '<%s>' ${word}`, place.home))
        .filter(
          (line) =>
            isSaid(line) && line.commands.every(({ words: [name] }) => /^(?:printf|echo)$/.test(name ?? '')),
        );
      const printed = outputs(
        lines.map(({ text }) => text),
        place,
      );
      let compared = 0;
      for (const [at, line] of lines.entries()) {
        const command = line.commands.find(({ words: [name] }) => name === 'printf');
        const said = command?.values.slice(2).map(textsOf) ?? [];
        if (said.includes(undefined) || printed[at] === '') continue;
        const texts = said.flatMap((one) => one ?? []);
        for (const [, word = ''] of (printed[at] ?? '').matchAll(/<([^>]*)>/gs)) {
          compared++;
          const isKnown = word === '' || texts.some((text) => fits(text, word, place.folder));
          expect(isKnown, `${word} of ${line.text}`).toBe(true);
        }
      }
      expect(compared).toBeGreaterThan(WORDS / 10);
    },
    TIME_LIMIT_MS,
  );

  it(
    '[PM3731] is so for variables that may be set, in all kinds of parts',
    () => {
      const place = openFolder();
      const maker = new LineMaker(new SeededRandom(15));
      const lines = Array.from({ length: LINES }, () => readShellLine(maker.line(), place.home)).filter(
        isSaid,
      );
      const printed = outputs(
        lines.map(({ text }) => text),
        place,
      );
      let compared = 0;
      for (const [at, { text: line, commands }] of lines.entries()) {
        const said = new Map(
          commands.flatMap(({ words, values }) => {
            const mark = /^<(\d+):/.exec(words[1] ?? '')?.[1];
            return mark === undefined ? [] : [[mark, textsOf(values[2])] as const];
          }),
        );
        for (const [, mark = '', word = ''] of (printed[at] ?? '').matchAll(/<(\d+):([^>]*)>/g)) {
          const texts = said.get(mark);
          if (texts === undefined) continue;
          compared++;
          expect(texts, `${mark} of ${line}`).toContain(word);
        }
      }
      expect(compared).toBeGreaterThan(LINES / 10);
    },
    TIME_LIMIT_MS,
  );
});

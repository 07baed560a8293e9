/** What was pressed: a chord such as `ctrl+a`, `alt+enter` or `up`; `text` for typed characters, `paste` for pasted ones. */
export interface Key {
  chord: string;
  text: string;
}

/** What a paste may hold; more is not a prompt but a file. */
export const MAX_PASTE_CHARS = 4 * 1024 * 1024;

const ESC = '\x1b';
const PASTE_START = '\x1b[200~';
const PASTE_END = '\x1b[201~';

const LETTERS: Record<string, string> = {
  A: 'up',
  B: 'down',
  C: 'right',
  D: 'left',
  F: 'end',
  H: 'home',
  M: 'enter',
};
const NUMBERS: Record<string, string> = {
  1: 'home',
  3: 'delete',
  4: 'end',
  5: 'pageup',
  6: 'pagedown',
  7: 'home',
  8: 'end',
};
const CODES: Record<string, string> = {
  9: 'tab',
  13: 'enter',
  27: 'escape',
  127: 'backspace',
  8: 'backspace',
};

/** Makes keys of what a terminal sends, wherever that is cut into chunks. */
export class KeyDecoder {
  #state: 'typing' | 'pasting' = 'typing';
  #pending = '';
  #pasted = '';

  /** Whether an escape waits for what may follow it. */
  get isWaiting(): boolean {
    return this.#state === 'typing' && this.#pending !== '';
  }

  push(chunk: string): Key[] {
    let input = this.#pending + chunk;
    this.#pending = '';
    const keys: Key[] = [];
    while (input !== '') {
      if (this.#state === 'pasting') input = this.#paste(input, keys);
      else if (input.startsWith(PASTE_START)) {
        this.#state = 'pasting';
        input = input.slice(PASTE_START.length);
      } else if (input.startsWith(ESC)) {
        const length = escapeLength(input);
        if (length === undefined) {
          this.#pending = input;
          break;
        }
        keys.push(escapeKey(input.slice(0, length)));
        input = input.slice(length);
      } else {
        const next = input.indexOf(ESC);
        const run = next < 0 ? input : input.slice(0, next);
        keys.push(...typed(run));
        input = input.slice(run.length);
      }
    }
    return keys;
  }

  /** Nothing followed: what waited was all of it. */
  flush(): Key[] {
    const waiting = this.isWaiting ? this.#pending : '';
    if (waiting === '') return [];
    this.#pending = '';
    if (waiting === ESC) return [{ chord: 'escape', text: '' }];
    return [{ chord: 'escape', text: '' }, ...this.push(waiting.slice(1))];
  }

  #paste(input: string, keys: Key[]): string {
    const end = input.indexOf(PASTE_END);
    if (end < 0) {
      // The end may be cut in two.
      const kept = Math.min(input.length, PASTE_END.length - 1);
      this.#keep(input.slice(0, input.length - kept));
      this.#pending = input.slice(input.length - kept);
      return '';
    }
    this.#keep(input.slice(0, end));
    keys.push({ chord: 'paste', text: asLines(this.#pasted) });
    this.#pasted = '';
    this.#state = 'typing';
    return input.slice(end + PASTE_END.length);
  }

  #keep(text: string): void {
    // One character more than allowed, so that its reader can tell that there was more.
    this.#pasted = (this.#pasted + text).slice(0, MAX_PASTE_CHARS + 1);
  }
}

/** How long the sequence at the start of `input` is; undefined when more of it may come. */
function escapeLength(input: string): number | undefined {
  const kind = input[1];
  if (kind === undefined) return undefined;
  if (kind === 'O') return input.length > 2 ? 3 : undefined;
  if (kind !== '[')
    return kind === ESC ? 1 : 1 + (String.fromCodePoint(input.codePointAt(1) ?? 0).length || 1);
  const body = input.slice(2);
  const match = /^[0-9:;<=>?]*[ -/]*[@-~]/.exec(body);
  if (match) return 2 + match[0].length;
  return /^[0-9:;<=>?]*[ -/]*$/.test(body) ? undefined : 2;
}

function escapeKey(sequence: string): Key {
  if (sequence === ESC) return { chord: 'escape', text: '' };
  if (sequence === '\x1b[Z') return { chord: 'shift+tab', text: '' };
  if (sequence.startsWith('\x1bO')) return { chord: LETTERS[sequence.slice(2)] ?? 'unknown', text: '' };
  if (!sequence.startsWith('\x1b[')) {
    const [key] = typed(sequence.slice(1));
    return { chord: `alt+${key?.chord === 'text' ? key.text : (key?.chord ?? 'unknown')}`, text: '' };
  }
  const final = sequence.at(-1) ?? '';
  const [first = '', second = '1', third = ''] = sequence
    .slice(2, -1)
    .split(';')
    .map((part) => part.split(':')[0] ?? '');
  if (final === 'u') return withModifiers(second, codeName(first));
  if (final === '~' && first === '27') return withModifiers(second, codeName(third));
  const name = final === '~' ? NUMBERS[first] : LETTERS[final];
  return name ? withModifiers(second, name) : { chord: 'unknown', text: '' };
}

function codeName(code: string): string {
  const point = Number(code);
  return CODES[code] ?? (point > 31 && point <= 0x10ffff ? String.fromCodePoint(point) : 'unknown');
}

/** The protocol counts one for no modifier, and then a bit for each. */
function withModifiers(modifiers: string, name: string): Key {
  const bits = Math.max(0, Number(modifiers) - 1);
  const isCharacter = name === String.fromCodePoint(name.codePointAt(0) ?? 0);
  const isText = isCharacter && (bits & ~1) === 0;
  if (isText) return { chord: 'text', text: bits & 1 ? name.toUpperCase() : name };
  const held = [bits & 4 ? 'ctrl+' : '', bits & 2 ? 'alt+' : '', bits & 1 ? 'shift+' : ''];
  return { chord: held.join('') + name, text: '' };
}

/** Typed characters. A line end with more behind it was not typed: a terminal without bracketed paste sent it. */
function typed(run: string): Key[] {
  if (/[\r\n][^\r\n]/.test(run) && run.length > 2) return [{ chord: 'paste', text: asLines(run) }];
  // oxlint-disable-next-line no-control-regex -- control characters are keys
  const parts = run.match(/[^\0-\x1f\x7f]+|[\0-\x1f\x7f]/g) ?? [];
  return parts.map((part) => {
    const code = part.charCodeAt(0);
    if (code > 31 && code !== 127) return { chord: 'text', text: part };
    if (code === 13) return { chord: 'enter', text: '' };
    if (code === 9) return { chord: 'tab', text: '' };
    if (code === 8 || code === 127) return { chord: 'backspace', text: '' };
    return { chord: `ctrl+${String.fromCharCode(code + 96)}`, text: '' };
  });
}

function asLines(text: string): string {
  return text.replace(/\r\n?/g, '\n');
}

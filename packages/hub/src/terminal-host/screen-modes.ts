import type { Terminal } from '@xterm/headless';

/** How a mouse is reported; each replaces the one before. */
const MOUSE_ENCODINGS = new Set([1005, 1006, 1015, 1016]);

const CURSOR_VISIBLE = 25;
const CURSOR_BLINKS = 12;

/** What programs set on a terminal and the serializer does not know of. */
export class ScreenModes {
  readonly #terminal: Terminal;
  #mouseEncoding: number | undefined;
  #isCursorHidden = false;
  #cursorBlinks: boolean | undefined;
  #cursorStyle: number | undefined;
  #margins: [number, number] | undefined;
  #hasLineDrawing = false;
  #title = '';

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
    const { parser } = terminal;
    // None of these says that it has done the work: the terminal's own handler follows.
    const hear = (work: () => void): false => {
      work();
      return false;
    };
    parser.registerCsiHandler({ prefix: '?', final: 'h' }, (params) => hear(() => this.#set(params, true)));
    parser.registerCsiHandler({ prefix: '?', final: 'l' }, (params) => hear(() => this.#set(params, false)));
    parser.registerCsiHandler({ intermediates: ' ', final: 'q' }, ([style]) =>
      hear(() => {
        this.#cursorStyle = typeof style === 'number' ? style : 0;
      }),
    );
    parser.registerCsiHandler({ final: 'r' }, ([top, bottom]) => hear(() => this.#setMargins(top, bottom)));
    parser.registerCsiHandler({ intermediates: '!', final: 'p' }, () => hear(() => this.#reset()));
    parser.registerEscHandler({ final: 'c' }, () => hear(() => this.#reset()));
    parser.registerEscHandler({ intermediates: '(', final: '0' }, () =>
      hear(() => {
        this.#hasLineDrawing = true;
      }),
    );
    parser.registerEscHandler({ intermediates: '(', final: 'B' }, () =>
      hear(() => {
        this.#hasLineDrawing = false;
      }),
    );
    terminal.onResize(() => {
      this.#margins = undefined;
    });
    terminal.onTitleChange((title) => {
      this.#title = title;
    });
  }

  /** What sets all of it again, after the screen was drawn. */
  restoring(): string {
    const { cursorX, cursorY } = this.#terminal.buffer.active;
    let text = '';
    if (this.#margins) {
      const [top, bottom] = this.#margins;
      const isRelative = this.#terminal.modes.originMode;
      // To set them moves the cursor.
      text += `\x1b[${top};${bottom}r\x1b[${cursorY + 1 - (isRelative ? top - 1 : 0)};${cursorX + 1}H`;
    }
    if (this.#mouseEncoding !== undefined) text += `\x1b[?${this.#mouseEncoding}h`;
    if (this.#cursorStyle !== undefined) text += `\x1b[${this.#cursorStyle} q`;
    if (this.#cursorBlinks !== undefined) text += `\x1b[?${CURSOR_BLINKS}${this.#cursorBlinks ? 'h' : 'l'}`;
    if (this.#isCursorHidden) text += `\x1b[?${CURSOR_VISIBLE}l`;
    if (this.#hasLineDrawing) text += '\x1b(0';
    if (this.#title !== '') text += `\x1b]2;${this.#title}\x07`;
    return text;
  }

  #set(modes: readonly (number | number[])[], isOn: boolean): void {
    for (const mode of modes) {
      if (typeof mode !== 'number') continue;
      if (MOUSE_ENCODINGS.has(mode)) {
        if (isOn) this.#mouseEncoding = mode;
        else if (this.#mouseEncoding === mode) this.#mouseEncoding = undefined;
      } else if (mode === CURSOR_VISIBLE) this.#isCursorHidden = !isOn;
      else if (mode === CURSOR_BLINKS) this.#cursorBlinks = isOn;
    }
  }

  #setMargins(first: number | number[] = 0, last: number | number[] = 0): void {
    const { rows } = this.#terminal;
    const top = typeof first === 'number' && first > 0 ? first : 1;
    const bottom = typeof last === 'number' && last > 0 ? Math.min(last, rows) : rows;
    this.#margins = top < bottom && (top > 1 || bottom < rows) ? [top, bottom] : undefined;
  }

  #reset(): void {
    this.#mouseEncoding = undefined;
    this.#isCursorHidden = false;
    this.#cursorBlinks = undefined;
    this.#cursorStyle = undefined;
    this.#margins = undefined;
    this.#hasLineDrawing = false;
  }
}

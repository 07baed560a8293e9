import { FitAddon } from '@xterm/addon-fit';
import { Terminal } from '@xterm/xterm';
import { type HubAddress, HubTerminal, type HubTerminalState, type TerminalExit } from 'signalbox/hub';
import { allowStyles, withStyles } from './allowed-styles.ts';

allowStyles();

/** Lines that have left the screen. */
const SCROLLBACK = 2000;

const THEME = {
  background: '#15171c',
  foreground: '#e4e7ed',
  cursor: '#e4e7ed',
  selectionBackground: '#3a4a7a',
  // Those of the emulator's own are too dark to be read on this ground.
  black: '#3b424f',
  red: '#f0868a',
  green: '#5cc48d',
  yellow: '#e8b04b',
  blue: '#8aa5ff',
  magenta: '#cd9df7',
  cyan: '#6fc9da',
  white: '#d3d8e0',
  brightBlack: '#7b8494',
  brightRed: '#f7a8ab',
  brightGreen: '#84d8ab',
  brightYellow: '#f2c878',
  brightBlue: '#adc0ff',
  brightMagenta: '#dfc0fa',
  brightCyan: '#9adbe7',
  brightWhite: '#ffffff',
};

/** What a {@link LiveTerminal} tells. */
export interface LiveTerminalOptions {
  address: HubAddress;
  session: string;
  number: number;
  onState: (state: HubTerminalState) => void;
  onExit: (exit: TerminalExit | null) => void;
  onTrouble: (words: string) => void;
}

/** A terminal of a session as it is drawn in an element of the page. */
export class LiveTerminal {
  readonly #terminal: Terminal;
  readonly #remote: HubTerminal;
  readonly #stops: (() => void)[] = [];
  #isCtrlHeld = false;
  #onCtrl: (isHeld: boolean) => void = () => {};

  constructor(
    element: HTMLElement,
    { address, session, number, onState, onExit, onTrouble }: LiveTerminalOptions,
  ) {
    const font = getComputedStyle(element).fontFamily;
    const terminal = new Terminal({
      scrollback: SCROLLBACK,
      fontFamily: font,
      fontSize: 13,
      theme: THEME,
      cursorBlink: false,
    });
    this.#terminal = terminal;
    const fit = new FitAddon();
    terminal.loadAddon(fit);
    withStyles(() => terminal.open(element));
    const room = (): { cols: number; rows: number } | undefined => fit.proposeDimensions();
    const size = room();
    this.#remote = new HubTerminal({
      ...address,
      session,
      number,
      scrollback: SCROLLBACK,
      ...(size ? { size } : {}),
      onScreen: ({ data, cols, rows, mayType }) => {
        terminal.reset();
        terminal.resize(cols, rows);
        terminal.options.disableStdin = !mayType;
        return this.#draw(data);
      },
      onOutput: (bytes) => this.#draw(bytes),
      onResize: ({ cols, rows }) => terminal.resize(cols, rows),
      onState,
      onExit,
      onTrouble: ({ message }) => onTrouble(message),
    });
    terminal.onData((text) => this.#type(text));
    terminal.onBinary((text) => void this.#remote.type(Uint8Array.from(text, (byte) => byte.charCodeAt(0))));
    const observer = new ResizeObserver(() => {
      const next = room();
      if (next) this.#remote.resize(next);
    });
    observer.observe(element);
    const wake = (): void => {
      if (!document.hidden) this.#remote.wake();
    };
    window.addEventListener('online', wake);
    document.addEventListener('visibilitychange', wake);
    this.#stops.push(
      () => observer.disconnect(),
      () => window.removeEventListener('online', wake),
      () => document.removeEventListener('visibilitychange', wake),
    );
  }

  focus(): void {
    this.#terminal.focus();
  }

  /** A key that a phone does not have. */
  press(key: string): void {
    const isArrow = key.length === 1 && 'ABCD'.includes(key);
    const lead = this.#terminal.modes.applicationCursorKeysMode ? '\x1bO' : '\x1b[';
    this.#type(isArrow ? lead + key : key);
    this.#terminal.focus();
  }

  /** Hold Ctrl for the next key; `onChange` is told when it is let go of. */
  holdCtrl(isHeld: boolean, onChange: (isHeld: boolean) => void): void {
    this.#isCtrlHeld = isHeld;
    this.#onCtrl = onChange;
    onChange(isHeld);
    this.#terminal.focus();
  }

  close(): void {
    for (const stop of this.#stops) stop();
    this.#remote.close();
    this.#terminal.dispose();
  }

  #type(text: string): void {
    const isLetter = /^[a-z@[\\\]^_]$/i.test(text);
    const typed =
      this.#isCtrlHeld && isLetter ? String.fromCharCode(text.toUpperCase().charCodeAt(0) & 0x1f) : text;
    if (this.#isCtrlHeld) this.holdCtrl(false, this.#onCtrl);
    this.#remote.type(typed);
  }

  #draw(data: string | Uint8Array): Promise<void> {
    return new Promise((resolve) => this.#terminal.write(data, resolve));
  }
}

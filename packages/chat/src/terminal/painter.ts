import { type Picture, Screen } from './screen.ts';

/** How soon a change is drawn: many changes in this time are one picture. */
const FRAME_MS = 16;

/** Draws a picture whenever something has changed, the size of the terminal included. */
export class Painter {
  readonly #stdout: NodeJS.WriteStream;
  readonly #screen: Screen;
  readonly #picture: (columns: number, rows: number) => Picture;
  #frame: NodeJS.Timeout | undefined;

  constructor(stdout: NodeJS.WriteStream, picture: (columns: number, rows: number) => Picture) {
    this.#stdout = stdout;
    this.#screen = new Screen(stdout);
    this.#picture = picture;
    stdout.on('resize', this.redraw);
  }

  readonly redraw = (): void => {
    this.#frame ??= setTimeout(() => {
      // What is drawn for a size that is no more cannot be taken back: Node learns it by asking, before the signal comes.
      process.emit('SIGWINCH', 'SIGWINCH');
      this.redrawNow();
    }, FRAME_MS);
  };

  redrawNow(): void {
    clearTimeout(this.#frame);
    this.#frame = undefined;
    this.#screen.show(this.#picture(this.#screen.columns, this.#screen.liveRows));
  }

  /** Somebody else writes to the terminal now; what is drawn next stands below that. */
  handOver(): void {
    this.redrawNow();
    this.#screen.forget();
  }

  /** Draw nothing until the next change: a shell has the terminal. */
  pause(): void {
    clearTimeout(this.#frame);
    this.#frame = undefined;
    this.#screen.clear();
  }

  /** Leave the last picture on the screen. */
  close(): void {
    this.#stdout.off('resize', this.redraw);
    this.redrawNow();
    this.#screen.close();
  }
}

import { type Instance, render, Static, Text, useCursor } from 'ink';
import { encodeLine, type Line } from '../text/line.ts';

/** What a terminal shows: what is done, which scrolls away and is never drawn again, and what is alive below it. */
export interface Picture {
  /** Grows at its end only, and is another array when it has grown. */
  done: Block[];
  live: readonly Line[];
  /** Where the cursor stands in `live`; hidden without one. */
  cursor?: { x: number; y: number } | undefined;
}

/** Lines that stay as they are. They are asked for once, at the width of that moment. */
export interface Block {
  id: string;
  lines(columns: number): readonly Line[];
}

/** Columns that stay empty at the right: some terminals wrap as soon as the last one is written to. */
const MARGIN = 1;

/** The terminal as a surface for pictures. */
export class Screen {
  readonly #stdout: NodeJS.WriteStream;
  readonly #hasColor: boolean;
  #instance: Instance | undefined;

  constructor(stdout: NodeJS.WriteStream) {
    this.#stdout = stdout;
    this.#hasColor = !process.env.NO_COLOR;
  }

  get columns(): number {
    return Math.max((this.#stdout.columns || 80) - MARGIN, 1);
  }

  /** Rows that the live part may take: one that fills the screen would make Ink draw the whole history again. */
  get liveRows(): number {
    return Math.max((this.#stdout.rows || 24) - 1, 1);
  }

  show(picture: Picture): void {
    const view = <View picture={picture} columns={this.columns} hasColor={this.#hasColor} />;
    if (this.#instance) this.#instance.rerender(view);
    else {
      this.#instance = render(view, { stdout: this.#stdout, exitOnCtrlC: false });
    }
  }

  async close(): Promise<void> {
    const ended = this.#instance?.waitUntilExit();
    this.#instance?.unmount();
    await ended;
  }
}

function View({
  picture,
  columns,
  hasColor,
}: {
  picture: Picture;
  columns: number;
  hasColor: boolean;
}): React.ReactNode {
  const { setCursorPosition } = useCursor();
  setCursorPosition(picture.cursor);
  const drawn = (lines: readonly Line[]): string =>
    lines.map((line) => encodeLine(line, hasColor) || ' ').join('\n');
  return (
    <>
      <Static items={picture.done}>
        {(block) => <Text key={block.id}>{drawn(block.lines(columns))}</Text>}
      </Static>
      <Text>{drawn(picture.live)}</Text>
    </>
  );
}

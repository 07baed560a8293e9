import type { Output } from '../base/host.ts';
import type { WrittenListener } from '../session/transcript.ts';

/** Sends a host what was written to transcripts. What is written before there is a host waits for it. */
export class TranscriptMirror {
  #output: Output | undefined;
  #early: Parameters<WrittenListener>[] = [];

  readonly written: WrittenListener = (file, lines) => {
    if (!this.#output) this.#early.push([file, lines]);
    // It leaves before whatever is said later; a host that is gone has no use for it.
    else this.#output.write(mirrored(file, lines)).catch(() => {});
  };

  connect(output: Output): void {
    this.#output = output;
    for (const [file, lines] of this.#early.splice(0)) this.written(file, lines);
  }
}

function mirrored(filePath: string, lines: readonly string[]) {
  const entries: Record<string, unknown>[] = lines.map((line) => JSON.parse(line));
  return { type: 'transcript_mirror', filePath, entries } as const;
}

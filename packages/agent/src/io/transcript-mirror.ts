import type { Output } from '../base/host.ts';
import type { WrittenListener } from '../session/transcript.ts';

/** Sends a host what is written to transcripts. */
export function mirrorTo(output: Output): WrittenListener {
  // It leaves before whatever is said later; a host that is gone has no use for it.
  return (file, lines) => void output.write(mirrored(file, lines)).catch(() => {});
}

function mirrored(filePath: string, lines: readonly string[]) {
  const entries: Record<string, unknown>[] = lines.map((line) => JSON.parse(line));
  return { type: 'transcript_mirror', filePath, entries } as const;
}

import type { CopyProgress } from '@signalbox/hub';
import { byteWords } from '@signalbox/protocol';

/** How often the line on a terminal changes. */
const SHOW_MS = 200;

/** Shows on a terminal how far a copy has come: one line, which goes when it ends. */
export function copyProgress(isQuiet: boolean): { show: (progress: CopyProgress) => void; end: () => void } {
  if (isQuiet || !process.stderr.isTTY) return { show: () => {}, end: () => {} };
  let shownAt = 0;
  const clear = '\r\u001B[K';
  return {
    show: (progress) => {
      if (Date.now() - shownAt < SHOW_MS) return;
      shownAt = Date.now();
      process.stderr.write(`${clear}${progressWords(progress)}`);
    },
    end: () => process.stderr.write(clear),
  };
}

function progressWords(progress: CopyProgress): string {
  if (progress.step === 'tables') return `copying ${progress.table.replaceAll('_', ' ')}`;
  if (progress.step === 'check') return 'comparing';
  const { sessions, of, entries, bytes } = progress;
  return `${sessions} of ${of} sessions, ${entries} entries, ${byteWords(bytes)}`;
}

// oxlint-disable-next-line no-control-regex -- these are what a terminal is told
const SEQUENCES = /\x1b(?:\][^\x07\x1b]*(?:\x07|\x1b\\\\)?|\[[0-?]*[ -/]*[@-~]|[ -/]*[0-~])/g;
// oxlint-disable-next-line no-control-regex -- the same
const CONTROLS = /[\x00-\x09\x0b-\x1f\x7f]/g;

/** The words of what was written to a terminal, line by line, without what moves the cursor or colours them. */
export function plainText(written: string): string {
  const lines = written.replace(SEQUENCES, '').replace(CONTROLS, '').split('\n');
  return lines
    .map((line) => line.trimEnd())
    .filter((line) => line !== '')
    .join('\n');
}

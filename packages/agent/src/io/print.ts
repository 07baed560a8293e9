/** Write to stdout, and wait until it is written. */
export function print(text: string): Promise<void> {
  return new Promise((resolve) => {
    // A reader that has seen enough is no failure.
    process.stdout.once('error', () => resolve());
    process.stdout.write(text, () => resolve());
  });
}

import { fitted } from './wrap-words.ts';

/** Whether somebody sits at this terminal who can be asked. */
export function isSomebodyThere(): boolean {
  return process.stdin.isTTY && process.stdout.isTTY;
}

/** Ask at this terminal; anything but a yes is a no. */
export async function saysYes(question: string): Promise<boolean> {
  const { createInterface } = await import('node:readline/promises');
  const ask = createInterface({ input: process.stdin, output: process.stdout });
  try {
    return /^y(es)?$/i.test((await ask.question(fitted(`${question} [y/N] `, process.stdout))).trim());
  } finally {
    ask.close();
  }
}

import { readFileSync } from 'node:fs';
import { messageOf } from '@signalbox/protocol';
import { BridgeOptionsError } from './bridge-errors.ts';

/** A way to the token, which is read anew each time: from a file, else from `SIGNALBOX_TOKEN`. */
export function tokenReader(
  env: NodeJS.ProcessEnv,
  file = env.SIGNALBOX_TOKEN_FILE,
): () => string | undefined {
  const { SIGNALBOX_TOKEN: given } = env;
  if (!file) return () => given || undefined;
  let token = readTokenFile(file);
  return () => {
    try {
      token = readTokenFile(file);
    } catch {
      // It is being replaced, or was removed: the hub decides whether the last one still counts.
    }
    return token;
  };
}

function readTokenFile(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').trim() || undefined;
  } catch (error) {
    throw new BridgeOptionsError(`Cannot read the token from ${file}: ${messageOf(error)}.`);
  }
}

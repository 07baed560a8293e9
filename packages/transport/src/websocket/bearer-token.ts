import { closeSync, readFileSync } from 'node:fs';

/** Tokens come from here, in this order. */
export interface TokenSources {
  /** `CLAUDE_CODE_SESSION_ACCESS_TOKEN`, and `CLAUDE_CODE_WEBSOCKET_AUTH_FILE_DESCRIPTOR` as the last resort. */
  env: NodeJS.ProcessEnv;
  /** The token that the program was given by other means. */
  ingressToken?: string | undefined;
}

/** A descriptor can be read once; later connections use what was read. */
const readDescriptors = new Map<number, string | undefined>();

/** The token to dial with, from the first source that has one. */
export function bearerToken({ env, ingressToken }: TokenSources): string | undefined {
  return env.CLAUDE_CODE_SESSION_ACCESS_TOKEN || ingressToken || tokenFromDescriptor(env);
}

function tokenFromDescriptor(env: NodeJS.ProcessEnv): string | undefined {
  const text = env.CLAUDE_CODE_WEBSOCKET_AUTH_FILE_DESCRIPTOR;
  if (!text || !/^\d+$/.test(text)) return undefined;
  const descriptor = Number(text);
  if (!readDescriptors.has(descriptor)) readDescriptors.set(descriptor, readOnce(descriptor));
  return readDescriptors.get(descriptor);
}

function readOnce(descriptor: number): string | undefined {
  try {
    const token = readFileSync(descriptor, 'utf8').trim();
    closeSync(descriptor);
    return token || undefined;
  } catch {
    // No such descriptor: whoever started us did not pass a token this way.
    return undefined;
  }
}

import { setTimeout as sleep } from 'node:timers/promises';
import type { Transport } from '@signalbox/transport';
import { createStdioTransport } from '@signalbox/transport/stdio';
import { UsageError } from '../base/agent-errors.ts';
import type { AgentOptions } from '../command-line/agent-options.ts';
import { withStdin } from './with-stdin.ts';

/** How long a host that is to be dialled may take to be there. */
const FIRST_CONNECTION_MS = 15_000;

/** Where messages travel: the host that was named, or this process's stdio. Text needs none. */
export async function openTransport(
  { outputFormat, inputFormat, sdkUrl }: AgentOptions,
  { env, onProblem }: { env: NodeJS.ProcessEnv; onProblem: (text: string) => void },
): Promise<Transport | undefined> {
  if (outputFormat !== 'stream-json') return undefined;
  if (sdkUrl === undefined) return createStdioTransport();
  const { createTransport, shownUrl } = await import('@signalbox/transport');
  let isConnected = false;
  const transport = createTransport(sdkUrl, {
    // What a host changes there, a new access token above all, counts for the next dial.
    env,
    lossless: true,
    reconnect: { attempts: reconnectAttempts(env) },
    onFailure: ({ message }, triesAgain) => {
      if (isConnected && triesAgain) onProblem(`signalbox-agent: ${message} Trying again.`);
    },
  });
  await firstConnection(transport, shownUrl(sdkUrl));
  isConnected = true;
  // A terminal is no host: what is typed there is not meant for the agent.
  const hasStdin = inputFormat === 'stream-json' && !process.stdin.isTTY;
  return hasStdin ? withStdin(transport, createStdioTransport().receive()) : transport;
}

/** A host that was there once may be away for long: work goes on, and nothing is lost meanwhile, unless a limit is set. */
function reconnectAttempts({ SIGNALBOX_RECONNECT_ATTEMPTS: text = '' }: NodeJS.ProcessEnv): number {
  if (text === '') return Number.POSITIVE_INFINITY;
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new UsageError(`SIGNALBOX_RECONNECT_ATTEMPTS must be a number; it is "${text}".`);
}

async function firstConnection(transport: { connect(): Promise<void> }, where: string): Promise<void> {
  const giveUp = new AbortController();
  const tooLate = sleep(FIRST_CONNECTION_MS, undefined, { signal: giveUp.signal }).then(() => {
    throw new UsageError(
      `Nobody answers at ${where} (waited ${FIRST_CONNECTION_MS / 1000} s). Is the host running?`,
    );
  });
  // Given up when connected in time: then nobody is left to hear about it.
  tooLate.catch(() => {});
  try {
    await Promise.race([transport.connect(), tooLate]);
  } finally {
    giveUp.abort();
  }
}

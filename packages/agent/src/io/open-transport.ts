import { setTimeout as sleep } from 'node:timers/promises';
import type { Transport } from '@signalbox/transport';
import { createStdioTransport } from '@signalbox/transport/stdio';
import { UsageError } from '../base/agent-errors.ts';
import type { AgentOptions } from '../command-line/agent-options.ts';

/** How long a host that is to be dialled may take to be there. */
const FIRST_CONNECTION_MS = 15_000;

/** Where messages travel: the host that was named, or this process's stdio. Text needs none. */
export async function openTransport({ outputFormat, sdkUrl }: AgentOptions): Promise<Transport | undefined> {
  if (outputFormat !== 'stream-json') return undefined;
  if (sdkUrl === undefined) return createStdioTransport();
  const { createTransport } = await import('@signalbox/transport');
  const transport = createTransport(sdkUrl, {
    lossless: true,
    // A host that was there once may be away for long: work goes on, and nothing is lost meanwhile.
    reconnect: { attempts: Number.POSITIVE_INFINITY },
  });
  await firstConnection(transport, sdkUrl);
  return transport;
}

async function firstConnection(transport: { connect(): Promise<void> }, url: string): Promise<void> {
  const giveUp = new AbortController();
  const tooLate = sleep(FIRST_CONNECTION_MS, undefined, { signal: giveUp.signal }).then(() => {
    throw new UsageError(
      `Nobody answers at ${url} (waited ${FIRST_CONNECTION_MS / 1000} s). Is the host running?`,
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

/**
 * A program whose own stdio is one end of a transport. A test drives it through the IPC channel, see
 * `remote-transport.ts`. Like any program that a host drives, it closes its transport after the end of its input,
 * and then ends.
 */
import { messageOf, SignalboxError, type WireLine } from '@signalbox/protocol';
import { createStdioTransport } from '../../src/stdio/own-stdio.ts';
import type { RemoteReport, RemoteRequest } from './remote-protocol.ts';

const transport = createStdioTransport();
const consumers = new Map<number, AsyncIterableIterator<WireLine>>();

transport.onStateChange((state) => report({ state }));
process.on('message', (request: RemoteRequest) => void answer(request));
report({ state: transport.state });

async function answer(request: RemoteRequest): Promise<void> {
  const { id } = request;
  try {
    const line = await perform(request);
    report(line ? { id, outcome: 'line', bytes: line.bytes() } : { id, outcome: 'done' });
    if (request.call === 'next' && !line) await transport.close();
    if (transport.state === 'closed') report({ state: 'closed' }, leave);
  } catch (error) {
    const code = error instanceof SignalboxError ? error.code : 'UNKNOWN';
    report({ id, outcome: 'failed', code, message: messageOf(error) });
  }
}

async function perform(request: RemoteRequest): Promise<WireLine | undefined> {
  switch (request.call) {
    case 'send':
      await transport.send(request.line);
      return undefined;
    case 'close':
      await transport.close();
      return undefined;
    case 'next':
      return (await consumer(request.consumer).next()).value;
    default:
      await consumer(request.consumer).return?.();
      return undefined;
  }
}

function consumer(number: number): AsyncIterableIterator<WireLine> {
  const known = consumers.get(number) ?? transport.receive();
  consumers.set(number, known);
  return known;
}

function report(message: RemoteReport, onReported?: () => void): void {
  if (process.connected) process.send?.(message, undefined, undefined, onReported);
}

function leave(): void {
  if (process.connected) process.disconnect();
}

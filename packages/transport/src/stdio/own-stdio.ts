import { StreamTransport, type StreamTransportOptions } from './stream-transport.ts';

/**
 * The transport of a program that a host drives: lines in on stdin, lines out on stdout. It goes on sending after
 * the end of stdin, because a host may end its input and then wait for the results; `close()` waits until the host
 * has taken all of them or is gone.
 */
export function createStdioTransport(options: StreamTransportOptions = {}): StreamTransport {
  return new StreamTransport(process.stdin, process.stdout, { allowHalfOpen: true, ...options });
}

import type { Transport } from '@signalbox/transport';

/** The same transport, from which other lines are heard. */
export function withLines(host: Transport, receive: Transport['receive']): Transport {
  return {
    get state() {
      return host.state;
    },
    send: (line) => host.send(line),
    receive,
    onStateChange: (listener) => host.onStateChange(listener),
    close: () => host.close(),
  };
}

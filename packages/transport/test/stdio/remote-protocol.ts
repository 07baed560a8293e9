import type { TransportState } from '../../src/transport.ts';

/** What a test asks of the transport in the other process. */
export type RemoteCall =
  | { call: 'send'; line: string | Uint8Array }
  | { call: 'next' | 'return'; consumer: number }
  | { call: 'close' };

export type RemoteRequest = RemoteCall & { id: number };

/** What the other process says: the answer to a call, or its transport's new state. */
export type RemoteReport =
  | { id: number; outcome: 'done' }
  | { id: number; outcome: 'line'; bytes: Uint8Array }
  | { id: number; outcome: 'failed'; code: string; message: string }
  | { state: TransportState };

import type { CheckedBody, CheckedQuery, Params, RouteAnswer, RouteKey } from '@signalbox/protocol/hub';
import type { Device } from '../../store/device.ts';
import type { Attempt } from './repeats.ts';

/** A request that fits its route. */
export interface Call<Key extends RouteKey> {
  device: Device;
  params: Params<Key>;
  query: CheckedQuery<Key>;
  body: CheckedBody<Key>;
  /** The body of a route that takes lines, as it comes. */
  lines: () => AsyncIterable<Uint8Array>;
  /** Of a request with an idempotency key. */
  attempt: Attempt | undefined;
}

/** What a route does. Bytes are given as they are. */
export type Handler<Key extends RouteKey> = (
  call: Call<Key>,
) => Promise<RouteAnswer<Key> | Uint8Array | AsyncIterable<string | Uint8Array>>;

/** What each of some routes does. */
export type HandlersOf<Routes> = { [Key in keyof Routes & RouteKey]: Handler<Key> };

import type { Store } from '../store.ts';
import type { Call } from './call.ts';
import { RecordClient } from './record-client.ts';

/** Carries out a call where the database is; what is in `transfer` may be given away. */
export type Caller = (call: Call, transfer?: readonly ArrayBuffer[]) => Promise<unknown>;

/** A store whose parts are somewhere else. */
export function storeOver(call: Caller, epoch: string, close: () => Promise<void>): Store {
  return {
    epoch,
    record: new RecordClient(call),
    sessions: remotePart(call, 'sessions'),
    inbox: remotePart(call, 'inbox'),
    permissions: remotePart(call, 'permissions'),
    audit: remotePart(call, 'audit'),
    devices: remotePart(call, 'devices'),
    answers: remotePart(call, 'answers'),
    launches: remotePart(call, 'launches'),
    close,
  };
}

/** Every method is a call of the same name. */
function remotePart<Name extends keyof Store>(call: Caller, part: Name): Store[Name] {
  const methods = new Proxy(
    {},
    {
      get: (_, method) => {
        // A promise that settles with a part asks it for `then`.
        if (typeof method === 'symbol' || method === 'then') return undefined;
        return (...values: unknown[]) => call({ part, method, values });
      },
    },
  );
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the other side implements the same interface
  return methods as Store[Name];
}

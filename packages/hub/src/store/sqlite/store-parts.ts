import type { Store } from '../store.ts';
import { type Caller, CallMaker } from './call-maker.ts';
import { InboxClient } from './inbox-client.ts';
import { RecordClient } from './record-client.ts';

/** A store whose parts are somewhere else. */
export function storeOver(caller: Caller, epoch: string, close: () => Promise<void>): Store {
  const maker = new CallMaker(caller);
  return {
    epoch,
    record: new RecordClient(maker),
    sessions: remotePart(maker, 'sessions'),
    inbox: new InboxClient(maker),
    permissions: remotePart(maker, 'permissions'),
    audit: remotePart(maker, 'audit'),
    devices: remotePart(maker, 'devices'),
    answers: remotePart(maker, 'answers'),
    launches: remotePart(maker, 'launches'),
    disk: remotePart(maker, 'disk'),
    close,
  };
}

/** Every method is a call of the same name. */
function remotePart<Name extends keyof Store>(maker: CallMaker, part: Name): Store[Name] {
  const methods = new Proxy(
    {},
    {
      get: (_, method) => {
        // A promise that settles with a part asks it for `then`.
        if (typeof method === 'symbol' || method === 'then') return undefined;
        return (...values: unknown[]) => maker.call({ part, method, values });
      },
    },
  );
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the other side implements the same interface
  return methods as Store[Name];
}

import { encodeBridgeReport, LineHead } from '@signalbox/protocol';
import { NO_RUN } from '../bridge/agent-run.ts';
import { endTree } from '../bridge/agent-tree.ts';
import { BridgeFolder } from '../bridge/bridge-folder.ts';
import { BridgeLog } from '../bridge/bridge-log.ts';
import { Delivery } from '../bridge/delivery.ts';
import { localAddress } from '../bridge/hub-address.ts';
import { leftRuns } from '../bridge/left-run.ts';

const NEWLINE = 0x0a;

/** What is said of an agent whose bridge can say nothing any more. */
export const LAST_WORDS =
  'Its bridge was killed, or the machine was restarted, and the agent went with it. Launch it again to go on.';

/** A bridge that is gone, and the hub that should know what it left. */
export interface LostBridge {
  home: string;
  id: string;
  session: string;
  token: string;
  /** Whether the hub knows how the agent ended. */
  isExitKnown: boolean;
  /** Fires when the hub has no more time for this. */
  signal: AbortSignal;
}

/**
 * Do what a bridge that was killed could not: end what is left of its agent, deliver what that said, and say that it
 * is gone. Settles with whether all was delivered; what was not stays. Throws `BRIDGE_RUNNING` when it runs after all.
 */
export async function settleLostBridge(lost: LostBridge): Promise<boolean> {
  const { home, id, session, token, signal } = lost;
  const folder = new BridgeFolder(home, id);
  if (folder.left) await endTree(folder.left.mark);
  const log = new BridgeLog(folder.log);
  const hasSaidExit = lost.isExitKnown || saysExit(folder.outbox);
  const refused = new AbortController();
  const delivery = new Delivery({
    hub: { ...localAddress(home, session), token: () => token },
    run: NO_RUN,
    outbox: folder.outbox,
    spill: folder.spill,
    onLine: () => {},
    log: (text) => log.note(text),
    onTrouble: (text) => log.note(text),
    // A session that was removed: nobody wants these lines any more.
    onRefused: () => refused.abort(),
  });
  if (!hasSaidExit) {
    const exited = {
      subtype: 'exited',
      code: null,
      signal: null,
      stderr: LAST_WORDS,
      descendants: 0,
    } as const;
    void delivery.send(Buffer.from(encodeBridgeReport({ type: 'bridge', ...exited })));
  }
  delivery.open();
  const isDelivered = await delivery.finish(AbortSignal.any([signal, refused.signal]));
  if (isDelivered) folder.remove();
  return isDelivered;
}

/** Whether the last line that was left says how the agent ended. */
function saysExit(outbox: string): boolean {
  const run = leftRuns(outbox).at(-1);
  const batch = run && [...run.batchesFrom(run.last)].at(-1);
  if (!batch) return false;
  const start = batch.content.lastIndexOf(NEWLINE, -2) + 1;
  const { type, subtype } = new LineHead(batch.content.subarray(start, -1));
  return type === 'bridge' && (subtype === 'exited' || subtype === 'failed');
}

import { messageOf } from '@signalbox/protocol';
import { HubApi, type Loop } from 'signalbox/hub';
import { addressOf, type FoundHub } from '../hub/find-hub.ts';
import { openStream } from '../hub/open-stream.ts';
import { IterationView } from './iteration-view.ts';
import { LOOP_CODE } from './loop-code.ts';
import { LoopWatch } from './loop-watch.ts';

/** Show a loop until it has ended; gives its exit code. */
export async function followLoop(
  hub: FoundHub,
  loop: Loop,
  { yes = false, json = false }: { yes?: boolean | undefined; json?: boolean | undefined },
  signal: AbortSignal,
): Promise<number> {
  const api = new HubApi(addressOf(hub));
  const stream = openStream(hub, (state) => {
    if (state === 'waiting') view.note('the connection to the hub is lost; trying again');
  });
  const view = new IterationView(api, stream, { isAllowed: yes, isJson: json });
  const watch = new LoopWatch(api, stream, loop, view);
  let leave = (): void => {};
  const left = new Promise<number>((resolve) => {
    leave = () => resolve(LOOP_CODE.stopped);
  });
  const stop = (): void => {
    process.on('SIGINT', leave);
    view.note('stopping: the turn first, then the loop; Ctrl-C again leaves');
    api.actOnLoop(loop.id, 'stop').catch((error: unknown) => {
      // One that has just ended needs no stop.
      if (watch.state !== 'ended') view.note(messageOf(error));
    });
  };
  view.onInterrupt = () => (signal.aborted ? leave() : process.emit('SIGINT'));
  if (signal.aborted) stop();
  else signal.addEventListener('abort', stop, { once: true });
  try {
    return await Promise.race([watch.ended, left]);
  } finally {
    process.off('SIGINT', leave);
    watch.close();
    view.close();
    stream.close();
  }
}

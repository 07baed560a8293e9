import { constants } from 'node:os';
import { HubTerminal, type TerminalExit } from 'signalbox/hub';
import { harmless } from '../harmless-text.ts';
import { addressOf, type FoundHub } from '../hub/find-hub.ts';
import { socketsOf } from '../hub/open-stream.ts';
import { OwnTerminal, sizeOf } from './own-terminal.ts';

const LEAVE_KEY = 0x1d;

/** How it ended that somebody sat at a terminal. */
export type TerminalOutcome =
  | { kind: 'left' }
  | { kind: 'exited'; code: number; words: string }
  | { kind: 'refused'; words: string };

/** Show a terminal of a session in this one, until the person leaves it or it ends. */
export function sitAtTerminal(hub: FoundHub, session: string, number: number): Promise<TerminalOutcome> {
  return new Promise((resolve) => {
    let wasLeaveKey = false;
    let isEnding = false;
    let output: Promise<void> = Promise.resolve();
    const end = (outcome: TerminalOutcome): void => {
      if (isEnding) return;
      isEnding = true;
      process.off('SIGTERM', leave);
      process.off('SIGHUP', leave);
      remote.close();
      void output.then(() => own.restore()).then(() => resolve(outcome));
    };
    const leave = (): void => end({ kind: 'left' });
    const own = new OwnTerminal({
      onKeys: (bytes) => {
        for (const [at, key] of bytes.entries()) {
          if (key === LEAVE_KEY && wasLeaveKey) {
            remote.type(bytes.subarray(0, at));
            return leave();
          }
          wasLeaveKey = key === LEAVE_KEY;
        }
        if (!remote.type(bytes)) own.ring();
      },
      onResize: (size) => remote.resize(size),
    });
    const remote = new HubTerminal({
      ...addressOf(hub),
      ...socketsOf(hub),
      session,
      number,
      size: sizeOf(process.stdout),
      onScreen: ({ data }) => (output = own.draw(data)),
      onOutput: (bytes) => (output = own.write(bytes)),
      onExit: (exit) => end(exitOutcome(exit)),
      onTrouble: (error) => {
        if (remote.state === 'refused') end({ kind: 'refused', words: harmless(error.message) });
        else own.ring();
      },
      onState: (state) => {
        if (state === 'waiting') own.title('no connection to the hub, trying again …');
        if (state === 'open') own.title(undefined);
      },
    });
    process.once('SIGTERM', leave);
    process.once('SIGHUP', leave);
  });
}

function exitOutcome(exit: TerminalExit | null): TerminalOutcome {
  if (!exit) return { kind: 'exited', code: 1, words: "The terminal's process was killed." };
  if (exit.signal !== null) {
    const [name] = Object.entries(constants.signals).find(([, value]) => value === exit.signal) ?? [
      exit.signal,
    ];
    return { kind: 'exited', code: 128 + exit.signal, words: `The shell was ended by ${name}.` };
  }
  const code = exit.code ?? 0;
  return {
    kind: 'exited',
    code,
    words: code === 0 ? 'The shell has ended.' : `The shell has ended with ${code}.`,
  };
}

import { isPermissionMode, type PermissionMode } from '@signalbox/protocol';
import { helpLines, keyLines, listLines } from './chat-commands.ts';
import { modeRows } from './session/modes.ts';
import type { Offer } from './session/offer.ts';
import type { Line } from './text/line.ts';

/** What the chat's own commands work with. */
export interface CommandDesk {
  offer: Offer;
  mode: () => string;
  show: (lines: (width: number) => Line[]) => void;
  setMode: (mode: PermissionMode) => void;
  setModel: (name: string) => void;
  leave: () => void;
}

/** Do what a command says; false when it is the agent's. */
export function runOwn(name: string, rest: string, desk: CommandDesk): boolean {
  const { offer, show } = desk;
  if (name === 'exit' || name === 'quit') desk.leave();
  else if (offer.has(name)) {
    // The agent knows its commands, and nothing of these keys.
    if (name === 'help') show(keyLines);
    return false;
  } else if (name === 'help') show((width) => helpLines(offer.commands(), width));
  else if (name === 'mode') {
    if (isPermissionMode(rest)) desk.setMode(rest);
    else show((width) => listLines(modeRows(desk.mode()), width));
  } else if (name === 'model') {
    if (rest) desk.setModel(rest);
    else show((width) => listLines(offer.models, width));
  } else return false;
  return true;
}

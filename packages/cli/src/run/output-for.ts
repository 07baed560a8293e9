import type { Session } from 'signalbox/hub';
import { isScripted } from '../hub/is-scripted.ts';
import { JsonTurn, PipedTurn, TerminalTurn, type TurnOutput } from './turn-output.ts';

/** Where the turns of a session are shown: what is drawn on a terminal is loaded for one. */
export async function outputFor(
  session: Session,
  { isJson = false, command = 'run' }: { isJson?: boolean; command?: string } = {},
): Promise<TurnOutput> {
  const style = { isScripted: isScripted(session), command };
  if (isJson) return new JsonTurn(process.stdout, process.stderr, style);
  if (!process.stdout.isTTY) return new PipedTurn(process.stdout, process.stderr, style);
  const { hasTerminal, TurnView } = await import('@signalbox/chat');
  return hasTerminal(process.stdout)
    ? new TerminalTurn(new TurnView(process.stdout, session.folder ?? process.cwd(), style))
    : new PipedTurn(process.stdout, process.stderr, style);
}

import { type ControlPeer, ControlRefusal } from '@signalbox/protocol';
import type { AgentSession } from '../conversation/agent-session.ts';
import { statusInput } from './status-input.ts';

const USUAL_SIZE = { columns: 80, rows: 24 };

/** Run the status line of the settings for a host that shows it; refuse where there is none. */
export function answerStatusLine(peer: ControlPeer, session: AgentSession): void {
  peer.handle('run_status_line', async ({ columns, rows }, { signal }) => {
    const { statusLine } = session;
    if (!statusLine) throw new ControlRefusal('The settings have no statusLine');
    const text = await statusLine.run({
      input: statusInput(session),
      cwd: session.thread.toolSession.cwd,
      columns: sizeOf(columns, USUAL_SIZE.columns),
      rows: sizeOf(rows, USUAL_SIZE.rows),
      signal,
    });
    return text === undefined ? {} : { text, padding: statusLine.padding };
  });
}

function sizeOf(value: unknown, otherwise: number): number {
  return typeof value === 'number' && Number.isInteger(value) && value > 0 ? value : otherwise;
}

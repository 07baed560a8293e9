import { openTerminal, type TerminalStreams } from './terminal/open-terminal.ts';

/** A session that can be resumed. */
export interface SessionChoice {
  id: string;
  title: string;
  when: Date;
  messages?: number | undefined;
  branch?: string | undefined;
}

/** Let a person choose a session. Returns its id; undefined when they chose none. */
export async function pickSession(
  sessions: readonly SessionChoice[],
  streams: TerminalStreams = {},
): Promise<string | undefined> {
  const terminal = openTerminal(streams);
  const { SessionList } = await import('./view/session-list.ts');
  const list = new SessionList(sessions, Date.now());
  const id = await new Promise<string | undefined>((resolve) => {
    terminal.use({
      picture: (columns, rows) => list.picture(columns, rows),
      lastPicture: () => ({ done: [], live: [] }),
      onKey: (key) => {
        const outcome = list.onKey(key);
        if (outcome) resolve(outcome.id);
        terminal.redraw();
      },
      onEnd: () => resolve(undefined),
    });
  });
  terminal.close();
  return id;
}

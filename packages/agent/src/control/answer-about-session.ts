import { type ControlPeer, ControlRefusal, type JsonObject, type TranscriptEntry } from '@signalbox/protocol';

/** What a host can know about a session, and how its title is kept. */
export interface SessionFacts {
  id(): string;
  /** What holds, and which settings said it. */
  settings(): { readonly effective: unknown; readonly sources: readonly unknown[] };
  /** What is in use, which settings do not decide alone. */
  applied(): JsonObject;
  hooks(): JsonObject;
  note(entry: TranscriptEntry): void;
}

/** Answer what a host asks about settings and hooks, and let it name the session. */
export function answerAboutSession(peer: ControlPeer, session: SessionFacts): void {
  peer.handle('get_settings', () => ({ ...session.settings(), applied: session.applied() }));
  peer.handle('get_hooks_listing', () => session.hooks());
  peer.handle('rename_session', (request) => {
    const customTitle = titleIn(request);
    const { session_id: meant } = request;
    const sessionId = session.id();
    if (typeof meant === 'string' && meant !== sessionId) {
      throw new ControlRefusal(`The session is ${sessionId} by now, not ${meant}`);
    }
    session.note({ type: 'custom-title', customTitle, sessionId });
  });
}

/** The title that a host gives. Throws `ControlRefusal`. */
export function titleIn({ title }: JsonObject): string {
  const given = typeof title === 'string' ? title.trim() : '';
  if (given === '') throw new ControlRefusal('title must be non-empty');
  return given;
}

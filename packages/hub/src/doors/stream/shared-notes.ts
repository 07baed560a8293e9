import type { Loop, Session } from '@signalbox/protocol/hub';
import type { Frame } from '../../sessions/frame.ts';
import { noteFrame } from '../../sessions/stream-message.ts';

/** What is told to all who watch all sessions: a frame is made once, whoever gets it. */
export class SharedNotes {
  /** What is known of a session is another object whenever it has changed. */
  readonly #changed = new WeakMap<Session, Frame>();
  readonly #loops = new WeakMap<Loop, Frame>();
  #removed: { session: string; frame: Frame } | undefined;

  changed(session: Session): Frame {
    const frame = this.#changed.get(session) ?? noteFrame({ type: 'session', session });
    this.#changed.set(session, frame);
    return frame;
  }

  loop(loop: Loop): Frame {
    const frame = this.#loops.get(loop) ?? noteFrame({ type: 'loop', loop });
    this.#loops.set(loop, frame);
    return frame;
  }

  removed(session: string): Frame {
    if (this.#removed?.session !== session)
      this.#removed = { session, frame: noteFrame({ type: 'removed', session }) };
    return this.#removed.frame;
  }
}

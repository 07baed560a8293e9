import type { UpdatePage } from '@signalbox/protocol/hub';

/**
 * Updates of all sessions, in one order: who follows them (an index, notices, another node) keeps one position, and asks no
 * session that has not changed. An update has its position when it is durable, and no later one has a lower position.
 */
export interface Updates {
  /** Updates after a position; 0 is before all. */
  after(position: number, limit?: number): Promise<UpdatePage>;
  /** Hear that something has changed; returns the way to stop it. */
  onUpdate(listener: () => void): () => void;
}

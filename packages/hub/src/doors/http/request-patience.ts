import { LIMITS } from '@signalbox/protocol';

/** How long requests may take to arrive. */
export interface RequestPatience {
  /** How long nothing may arrive of a body. */
  pauseMs: number;
  /** How long the body of a sign-in may take. */
  signInMs: number;
  /** How long the rest of a body that nobody wants is read and dropped: its client may hear its answer only then. */
  dropMs: number;
}

export const REQUEST_PATIENCE: RequestPatience = {
  pauseMs: LIMITS.bodyPauseSeconds.most * 1000,
  signInMs: LIMITS.signInSeconds.most * 1000,
  dropMs: 30_000,
};

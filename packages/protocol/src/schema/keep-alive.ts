import { literal, object } from './wire.ts';

/** Says nothing but "still here", in either direction. */
export const keepAliveMessage = object({ type: literal('keep_alive') });

/** What a session is doing. */
export const SESSION_STATES = [
  'starting',
  'active',
  'idle',
  'asking',
  'terminal',
  'disconnected',
  'exited',
] as const;
export type SessionState = (typeof SESSION_STATES)[number];

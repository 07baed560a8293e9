/** Stands for all sessions: what changes about each, and not what is said in them. */
export const ALL_SESSIONS = '*';

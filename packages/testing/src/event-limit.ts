/** How long a test waits for an event before it gives up. The machine may be busy: a wait that is over sooner costs nothing. */
export const EVENT_MS = 150_000;

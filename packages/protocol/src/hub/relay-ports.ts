/** The ports of this machine where frontends look for relays, and a hub is one. */
export const RELAY_PORTS = { first: 8765, last: 8774 } as const;

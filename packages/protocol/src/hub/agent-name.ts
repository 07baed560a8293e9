/** The agents that a hub knows by itself; `custom` runs a command that comes with its launch. */
export const OWN_AGENTS = ['claude', 'signalbox-agent', 'scripted', 'custom'] as const;

/** What an agent can be called. */
export const AGENT_NAME = /^[a-z0-9][a-z0-9._-]{0,63}$/i;

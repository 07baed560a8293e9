/** The protocol that this agent speaks, as a version of the CLI that hosts know it from. */
export const PROTOCOL_VERSION = '2.1.37';

declare const SIGNALBOX_VERSION: string | undefined;

/** Set when the executables are built; a run from source has no version of its own. */
export const AGENT_VERSION = typeof SIGNALBOX_VERSION === 'string' ? SIGNALBOX_VERSION : '0.0.0-source';

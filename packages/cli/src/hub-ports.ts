import { RELAY_PORTS } from '@signalbox/protocol';

/** Where a hub of this machine is looked for, and where one starts unless it is told otherwise. */
export const { first: FIRST_PORT, last: LAST_PORT } = RELAY_PORTS;

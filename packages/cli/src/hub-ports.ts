/** Where a hub of this machine is looked for, and where one starts unless it is told otherwise. */
export const FIRST_PORT = 8765;
export const LAST_PORT = 8774;

// The process that owns a terminal. It loads nothing of the hub itself.

export { findTerminals, isTerminalThere, type RunningTerminal } from './find-terminals.ts';
export { runTerminalHost } from './run-terminal-host.ts';
export { readTerminalMeta } from './terminal-folder.ts';

export { createFileHistory, HISTORY_LIMIT, type History } from './input/history.ts';
export { pickSession, type SessionChoice } from './pick-session.ts';
export { type ChatOptions, runChat } from './run-chat.ts';
export { hasTerminal, requireTerminal, TerminalNeededError } from './terminal/require-terminal.ts';
export { TurnView } from './turn-view.ts';

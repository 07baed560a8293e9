// What a loop does on its machine: check its condition, look what changed, read its prompt.

export { checkCondition, endLeftCondition } from './condition-command.ts';
export { folderChanges, folderState } from './folder-state.ts';
export { LoopPromptFileError, readLoopPrompt } from './loop-prompt.ts';
export { type CommandEnd, endMarked, runMarked } from './marked-command.ts';

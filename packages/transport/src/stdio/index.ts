// For programs that talk on pipes and must start without loading what talks on sockets.

export { LineQueue } from '../line-queue.ts';
export { CHILD_GRACE_MS, type ChildExit, ChildTransport, spawnTransport } from './child-transport.ts';
export { isFile, placesInPath, placesOfClaude } from './find-program.ts';
export { createStdioTransport } from './own-stdio.ts';
export { processStats, withDescendants } from './process-tree.ts';
export { type ProcessStat, processStat, processVariables } from './running-processes.ts';
export { StreamTransport } from './stream-transport.ts';

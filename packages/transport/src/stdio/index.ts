// For programs that talk on pipes and must start without loading what talks on sockets.

export { type ChildTransport, spawnTransport } from './child-transport.ts';
export { createStdioTransport } from './own-stdio.ts';

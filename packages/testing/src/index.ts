// What tests share. Nothing of it is shipped.

export { openPlainMemoryStore } from './memory-store/memory-store.ts';

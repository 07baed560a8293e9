// What those share who own a terminal and those who show one; runs in a browser.

export { QueryFilter } from './query-filter.ts';
export { SequenceScanner } from './sequence-scanner.ts';

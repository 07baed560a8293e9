// What those share who own a terminal and those who show one; runs in a browser.

export {
  BEL,
  bytesAfter,
  C1_LEAD,
  C1_OFFSET,
  CAN,
  ESC,
  endsCsi,
  endsEscape,
  isContinuation,
  OPENERS,
  SUB,
} from './control-bytes.ts';
export { QueryFilter } from './query-filter.ts';
export { SequenceScanner } from './sequence-scanner.ts';

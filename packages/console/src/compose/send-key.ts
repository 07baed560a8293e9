import type { KeyboardEvent } from 'react';

/** Enter sends and Shift+Enter begins a line; an input method ends a word with Enter as well. */
export function isSendKey({ key, shiftKey, nativeEvent }: KeyboardEvent): boolean {
  return key === 'Enter' && !shiftKey && !nativeEvent.isComposing;
}

import type { KeyboardEvent } from 'react';

/** Where letters are words. */
const WRITTEN_IN = 'input, textarea, select, [contenteditable]';

/**
 * Keys for what is asked, while the focus is on it: A allows, L allows always, D denies, E edits, U takes back, the arrows lead to the others. A yes that waits for
 * its reader reads on instead.
 */
export function useDeckKeys({ onStep }: { onStep: (step: number) => void }) {
  return (event: KeyboardEvent<HTMLElement>): void => {
    const { key, target, currentTarget, altKey, ctrlKey, metaKey } = event;
    if (altKey || ctrlKey || metaKey || (target instanceof Element && target.closest(WRITTEN_IN))) return;
    const press = (selector: string): boolean => {
      const button = currentTarget.querySelector<HTMLButtonElement>(
        `.ask-slot:not([hidden]) ${selector}:enabled`,
      );
      button?.click();
      return button !== null;
    };
    switch (key) {
      case 'a':
        if (!press('[data-answer="yes"]')) press('.read-on');
        break;
      case 'd':
        press('[data-answer="no"]');
        break;
      case 'e':
        press('[data-answer="edit"]');
        break;
      case 'l':
        press('[data-answer="always"]');
        break;
      case 'u':
        press('[data-answer="undo"]');
        break;
      case 'ArrowRight':
        onStep(1);
        break;
      case 'ArrowLeft':
        onStep(-1);
        break;
      default:
        return;
    }
    event.preventDefault();
  };
}

import { type MouseEvent, useEffect, useLayoutEffect, useRef, useState } from 'react';

/** How long a card that has just appeared takes no answer: longer than a second click or a finger on its way. */
const FRESH_MS = 600;

/** When the pointer went down last, and since when a key is held down. */
const press: { pointer: number; key: number | undefined } = { pointer: 0, key: undefined };

const LISTENERS: readonly [string, (event: Event) => void][] = [
  ['pointerdown', ({ timeStamp }) => (press.pointer = timeStamp)],
  ['keydown', ({ timeStamp }) => (press.key ??= timeStamp)],
  // A space presses a button when it comes up, after this was heard.
  ['keyup', () => setTimeout(() => (press.key = undefined))],
];

/**
 * Whether something that is shown or hidden has just appeared, and the guard that keeps presses from it which were
 * meant for what was there before: those that began too early, and the second click of a double click.
 */
export function useFresh(isShown: boolean): { isFresh: boolean; guard: (event: MouseEvent) => void } {
  const [isFresh, setFresh] = useState(true);
  const readyAt = useRef(Infinity);
  useLayoutEffect(() => {
    readyAt.current = Infinity;
    if (!isShown) return undefined;
    readyAt.current = performance.now() + FRESH_MS;
    setFresh(true);
    const timer = setTimeout(() => setFresh(false), FRESH_MS);
    return () => clearTimeout(timer);
  }, [isShown]);
  useEffect(() => {
    for (const [type, listener] of LISTENERS) window.addEventListener(type, listener, true);
    return () => {
      for (const [type, listener] of LISTENERS) window.removeEventListener(type, listener, true);
    };
  }, []);
  const guard = (event: MouseEvent): void => {
    const { target, detail } = event;
    if (!(target instanceof Element) || !target.closest('button, a')) return;
    // A screen reader presses without a pointer or a key: then only the moment counts.
    const begun = (detail > 0 ? press.pointer : press.key) ?? performance.now();
    if (begun >= readyAt.current && detail < 2) return;
    event.preventDefault();
    event.stopPropagation();
  };
  return { isFresh, guard };
}

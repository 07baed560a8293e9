import { createElement, Fragment, type ReactNode } from 'react';

/** A sentence with elements in it. Its parts never change places, so they need no keys. */
export function Sentence({ of }: { of: readonly ReactNode[] }) {
  return createElement(Fragment, null, ...of);
}

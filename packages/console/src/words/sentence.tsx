import type { ReactNode } from 'react';
import { Fragment, jsxs } from '../shown/jsx-runtime.ts';

/** A sentence with elements in it. Its parts never change places, so they need no keys. */
export function Sentence({ of }: { of: readonly ReactNode[] }) {
  return jsxs(Fragment, { children: of });
}

// What JSX is compiled to in the console (vite.config.ts): every text goes through here on its way to the page, and none can be forgotten.
import type { ElementType, Key, ReactElement } from 'react';
import * as react from 'react/jsx-runtime';
import { shownText } from './shown-text.ts';

export const { Fragment } = react;

interface Props {
  children?: unknown;
}

export function jsx(type: ElementType, props: Props, key?: Key): ReactElement {
  return react.jsx(type, shownProps(props), key);
}

export function jsxs(type: ElementType, props: Props, key?: Key): ReactElement {
  return react.jsxs(type, shownProps(props), key);
}

/** While the page is worked on. */
export function jsxDEV(type: ElementType, props: Props, key?: Key, isStatic = false): ReactElement {
  return (isStatic ? jsxs : jsx)(type, props, key);
}

function shownProps(props: Props): Props {
  const children = shown(props.children);
  return children === props.children ? props : { ...props, children };
}

/** The same list where nothing is changed: React compares. */
function shown(child: unknown): unknown {
  if (typeof child === 'string') return shownText(child);
  if (!Array.isArray(child)) return child;
  const all = child.map(shown);
  return all.every((one, index) => one === child[index]) ? child : all;
}

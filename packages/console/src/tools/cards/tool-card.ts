import type { ReactNode } from 'react';
import type { CallItem } from '../../model/item.ts';

export interface CardProps {
  call: CallItem;
  folder: string | null;
}

/** How a tool's calls are shown. */
export interface ToolCard {
  /** All of a call, for those who open it. */
  Body: (props: CardProps) => ReactNode;
  /** Below its row while it is closed, in place of the last lines of its output. */
  Peek?: (props: CardProps) => ReactNode;
  /** It is worth seeing at once. */
  isOpenByItself?: boolean;
}

import { spokenName } from '@signalbox/protocol';
import { cleanText } from '../text/clean-text.ts';

/** A tool's name as it may be shown in a terminal. */
export function toolTitle(toolName: string): string {
  return cleanText(spokenName(toolName)).replaceAll('\n', ' ');
}

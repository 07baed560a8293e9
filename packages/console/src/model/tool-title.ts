import { spokenName } from '@signalbox/protocol';
import { t } from '../words/t.ts';

const TITLES: Readonly<Record<string, string>> = t.model.toolTitles;

/** What a call of this tool is called on the page. */
export function toolTitle(toolName: string): string {
  return TITLES[toolName] ?? spokenName(toolName);
}

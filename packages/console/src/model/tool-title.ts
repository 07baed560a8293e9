import { spokenName } from '@signalbox/protocol';

const TITLES: Record<string, string> = {
  AskUserQuestion: 'Question',
  ExitPlanMode: 'Plan',
  NotebookEdit: 'Notebook',
  NotebookRead: 'Notebook',
  TodoWrite: 'To do',
  WebFetch: 'Fetch',
  WebSearch: 'Search the web',
};

/** What a call of this tool is called on the page. */
export function toolTitle(toolName: string): string {
  return TITLES[toolName] ?? spokenName(toolName);
}

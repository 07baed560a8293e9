import { bashCard } from './bash-card.tsx';
import { editCard } from './edit-card.tsx';
import { notebookCard } from './notebook-card.tsx';
import { otherCard } from './other-card.tsx';
import { planCard } from './plan-card.tsx';
import { questionCard } from './question-card.tsx';
import { readCard } from './read-card.tsx';
import { searchCard } from './search-card.tsx';
import { taskCard } from './task-card.tsx';
import { todoCard } from './todo-card.tsx';
import type { ToolCard } from './tool-card.ts';
import { webFetchCard } from './web-fetch-card.tsx';
import { webSearchCard } from './web-search-card.tsx';

/** One card for each tool that has something of its own to show. */
const CARDS: Readonly<Record<string, ToolCard>> = {
  Agent: taskCard,
  AskUserQuestion: questionCard,
  Bash: bashCard,
  Edit: editCard,
  ExitPlanMode: planCard,
  Glob: searchCard,
  Grep: searchCard,
  MultiEdit: editCard,
  NotebookEdit: notebookCard,
  Read: readCard,
  Task: taskCard,
  TodoWrite: todoCard,
  WebFetch: webFetchCard,
  WebSearch: webSearchCard,
  Write: editCard,
};

export function cardOf(tool: string): ToolCard {
  return (Object.hasOwn(CARDS, tool) ? CARDS[tool] : undefined) ?? otherCard;
}

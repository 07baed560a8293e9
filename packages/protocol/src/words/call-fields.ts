import { isJsonObject, type JsonObject, textAt } from '../json-fields.ts';

/** What a view of these tools shows in a form of its own. A field of another type than it expects is not among it. */
const SHOWN: Readonly<Record<string, readonly string[]>> = {
  Bash: ['command'],
  Write: ['file_path', 'content'],
  Edit: ['file_path', 'old_string', 'new_string'],
  MultiEdit: ['file_path', 'edits'],
  Task: ['prompt'],
  Agent: ['prompt'],
  ExitPlanMode: ['plan'],
};

/** Tools whose input has words about the call itself. */
const DESCRIBED = new Set(['Bash', 'Task', 'Agent']);

/** The fields of a call that its tool's own view does not show: whoever decides about the call has to see them too. */
export function otherFields(toolName: string, input: JsonObject): [name: string, value: unknown][] {
  const shown = SHOWN[toolName] ?? [];
  const isShown = (name: string, value: unknown): boolean => {
    if (name === 'description') return DESCRIBED.has(toolName) && typeof value === 'string';
    return shown.includes(name) && (name === 'edits' ? isListOfEdits(value) : typeof value === 'string');
  };
  return Object.entries(input).filter(([name, value]) => !isShown(name, value));
}

/** What the agent says that a call is for, if it says more than the input shows. Its own words: nothing holds it to them. */
export function agentWords(request: JsonObject): string {
  const { tool_name: tool, input } = request;
  const said = textAt(request, 'description');
  if (said !== '') return isPartOf(said, input) ? '' : said;
  return typeof tool === 'string' && DESCRIBED.has(tool) ? textAt(input, 'description') : '';
}

/** Agents that have no words for a call name its file, address or command again. */
function isPartOf(said: string, input: unknown): boolean {
  const fields = isJsonObject(input) ? Object.entries(input) : [];
  return fields.some(
    ([name, value]) => name !== 'description' && typeof value === 'string' && value.endsWith(said),
  );
}

function isListOfEdits(value: unknown): boolean {
  return Array.isArray(value) && value.every(isJsonObject);
}

import type { AgentMessage, ControlHandler, JsonObject } from '@signalbox/protocol';
import { type DrivenAgent, driveAgent, isResult } from './drive-agent.ts';
import { type ProjectFolder, projectFolder } from './project/project-folder.ts';

/** An agent in a repository, whose person has a home elsewhere. */
export interface AgentInProject extends DrivenAgent {
  project: ProjectFolder;
  /** Say something, and wait for the result; with what the first tool gave. */
  turn(prompt: string): Promise<{ result: JsonObject; messages: AgentMessage[]; tool: JsonObject }>;
  /** All that the model was sent last, as one text. */
  sent(): string;
}

/** How an agent is put into a repository. */
export interface ProjectOptions {
  /** By name, below `home` and `repo`. */
  files?: Record<string, string>;
  /** What links say, by name. */
  links?: Record<string, string>;
  /** Whether the person has said that the repository is safe. */
  isTrusted?: boolean;
  args?: string[];
  env?: NodeJS.ProcessEnv;
  onPermission?: ControlHandler;
}

/** Write the files, then start the agent among them. All of it is gone after the test. */
export async function agentInProject(options: ProjectOptions = {}): Promise<AgentInProject> {
  const { files = {}, links = {}, isTrusted = true, args = [], env = {}, onPermission } = options;
  const project = await projectFolder();
  for (const [name, text] of Object.entries(files)) await project.file(name, text);
  for (const [name, target] of Object.entries(links)) await project.link(name, target);
  if (isTrusted) {
    const projects = { [project.path('repo')]: { hasTrustDialogAccepted: true } };
    const state = JSON.parse(files['home/.claude.json'] ?? '{}');
    await project.file('home/.claude.json', JSON.stringify({ ...state, projects }));
  }
  const agent = await driveAgent({
    folder: project.path('repo'),
    args,
    env: { HOME: project.path('home'), ...env },
    ...(onPermission ? { onPermission } : {}),
  });
  return {
    ...agent,
    project,
    sent: () => JSON.stringify(agent.model.requests.at(-1)?.body ?? {}),
    async turn(prompt) {
      const from = agent.messages.length;
      await agent.say(prompt);
      const result = { ...Object(await agent.next(isResult, from)) };
      const messages = agent.messages.slice(from);
      return { result, messages, tool: toolResults(messages)[0] ?? {} };
    },
  };
}

/** The tool results in messages, in order. */
export function toolResults(messages: readonly AgentMessage[]): JsonObject[] {
  return messages
    .filter(({ type }) => type === 'user')
    .flatMap((message) => {
      const { content } = Object(message).message;
      return Array.isArray(content) ? content.filter(({ type }) => type === 'tool_result') : [];
    });
}

/** What the agent told the host when the last turn began. */
export function lastInit(messages: readonly AgentMessage[]): JsonObject {
  const init = messages.findLast((message) => message.type === 'system' && message.subtype === 'init');
  return { ...Object(init) };
}

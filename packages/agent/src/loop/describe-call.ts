import { relative, resolve } from 'node:path';
import type { JsonObject } from '@signalbox/protocol';
import type { PermissionQuestion } from '../base/host.ts';
import { isInside } from '../base/real-path.ts';
import type { Decision } from '../permission/decide.ts';
import type { Tool } from '../tools/tool.ts';

/** The fields of an input that say what a call is about, the best first. */
const TELLING = ['description', 'command', 'url', 'query', 'pattern', 'skill'] as const;

/** What a host shows of a call beside its input, in the protocol's words. */
export function describeCall(
  tool: Tool,
  input: JsonObject,
  cwd: string,
): Pick<PermissionQuestion, 'display_name' | 'description' | 'mcp_server'> {
  // A server names its fields as it likes: none of them can be trusted to describe the call.
  if (tool.server) {
    const { name, source, toolName } = tool.server;
    return { display_name: titleOf(toolName), mcp_server: { name, source } };
  }
  const description = telling(tool, input, cwd);
  return { display_name: tool.name, ...(description === undefined ? {} : { description }) };
}

/** What kind of thing made the agent ask. A question for a person has no reason but the person. */
export function reasonType({ because }: Decision): Pick<PermissionQuestion, 'decision_reason_type'> {
  if (because === 'person') return {};
  return { decision_reason_type: because === 'protectedPath' ? 'safetyCheck' : because };
}

function telling(tool: Tool, input: JsonObject, cwd: string): string | undefined {
  const [path] = tool.isEdit || tool.name === 'Read' ? tool.paths(input) : [];
  if (path !== undefined) return shortPath(resolve(cwd, path), cwd);
  const texts = TELLING.map((name) => input[name]);
  return texts.find((text): text is string => typeof text === 'string' && text !== '');
}

/** Inside of the working directory as it is seen from there. */
function shortPath(path: string, cwd: string): string {
  return path !== cwd && isInside(path, cwd) ? relative(cwd, path) : path;
}

function titleOf(name: string): string {
  return name.replaceAll('_', ' ').replaceAll(/\b[a-z]/g, (letter) => letter.toUpperCase());
}

import type { ControlRequestBody, JsonObject } from '@signalbox/protocol';
import type { HookRegistry } from '../callbacks/hook-registry.ts';
import type { Options } from '../types/options.ts';

/** What the agent is told before the first prompt. Fields that are undefined do not travel. */
export function initializeRequest(
  options: Options,
  hooks: HookRegistry,
  sdkServers: readonly string[],
): ControlRequestBody {
  return {
    subtype: 'initialize',
    hooks: hooks.registration,
    sdkMcpServers: sdkServers.length > 0 ? sdkServers : undefined,
    sdkMcpServerConfigs: serverConfigs(options, sdkServers),
    jsonSchema: options.outputFormat?.schema,
    ...systemPrompt(options.systemPrompt),
    planModeInstructions: options.planModeInstructions,
    toolAliases: options.toolAliases,
    agents: options.agents,
    title: options.title,
    skills: options.skills === 'all' ? undefined : options.skills,
    promptSuggestions: options.promptSuggestions,
    agentProgressSummaries: options.agentProgressSummaries,
    forwardSubagentText: options.forwardSubagentText,
    supportedDialogKinds: options.supportedDialogKinds,
    perTaskStopAffordance: options.perTaskStopAffordance,
    plugins: options.pluginDelivery === 'initialize' ? options.plugins : undefined,
  };
}

/** Text travels as text: agents of the older kind know no lists. */
function systemPrompt(prompt: Options['systemPrompt']): JsonObject {
  if (prompt === undefined) return { systemPrompt: '' };
  if (typeof prompt === 'string' || Array.isArray(prompt)) return { systemPrompt: prompt };
  const { snapshot: systemPromptSnapshot } = prompt;
  if (prompt.type === 'custom') return { systemPrompt: prompt.prompt, systemPromptSnapshot };
  const { append: appendSystemPrompt, excludeDynamicSections } = prompt;
  return { appendSystemPrompt, excludeDynamicSections, systemPromptSnapshot };
}

function serverConfigs({ mcpServers = {} }: Options, names: readonly string[]): JsonObject | undefined {
  const configs = names.flatMap((name) => {
    const timeout = mcpServers[name]?.timeout;
    return timeout === undefined ? [] : [[name, { timeout }] as const];
  });
  return configs.length > 0 ? Object.fromEntries(configs) : undefined;
}

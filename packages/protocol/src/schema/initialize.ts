import { slashCommand } from './slash-command.ts';
import {
  anyObject,
  echoed,
  either,
  expected,
  flag,
  type Inbound,
  list,
  literal,
  map,
  number,
  object,
  optional,
  text,
} from './wire.ts';

const hookMatcher = object({
  matcher: optional(text),
  hookCallbackIds: list(text),
  timeout: optional(number),
});

const agentDefinition = object({
  description: expected(text),
  prompt: expected(text),
  tools: optional(list(text)),
  disallowedTools: optional(list(text)),
  model: optional(text),
});

export const initializeRequest = object({
  subtype: literal('initialize'),
  hooks: optional(map(list(hookMatcher))),
  sdkMcpServers: optional(list(text)),
  jsonSchema: optional(anyObject),
  systemPrompt: optional(either(text, list(text))),
  appendSystemPrompt: optional(text),
  agents: optional(map(echoed(agentDefinition))),
  title: optional(text),
  skills: optional(either(list(text), text)),
  promptSuggestions: optional(flag),
  planModeInstructions: optional(text),
  toolAliases: optional(map(text)),
  excludeDynamicSections: optional(flag),
  forwardSubagentText: optional(flag),
  agentProgressSummaries: optional(flag),
  perTaskStopAffordance: optional(flag),
  sdkMcpServerManifests: optional(map(anyObject)),
  supportedDialogKinds: optional(list(text)),
  plugins: optional(list(anyObject)),
});

export const initializeResponse = object({
  commands: expected(list(slashCommand)),
  output_style: expected(text),
  available_output_styles: expected(list(text)),
  models: expected(
    list(
      object({
        value: text,
        displayName: expected(text),
        description: expected(text),
        resolvedModel: optional(text),
        supportsEffort: optional(flag),
        supportedEffortLevels: optional(list(text)),
        supportsAdaptiveThinking: optional(flag),
      }),
    ),
  ),
  account: expected(
    object({
      email: optional(text),
      organization: optional(text),
      subscriptionType: optional(text),
      tokenSource: optional(text),
      apiKeySource: optional(text),
      apiProvider: optional(text),
    }),
  ),
  agents: optional(list(object({ name: text, description: expected(text), model: optional(text) }))),
  claude_code_version: optional(text),
  current_permission_mode: optional(text),
  session_state: optional(text),
  fast_mode: optional(flag),
  fast_mode_state: optional(text),
  capabilities: optional(list(text)),
  pid: optional(number),
});

/** A sub-agent that a host defines. */
export type AgentDefinition = Inbound<typeof agentDefinition>;

/** What an agent offers in return. */
export type InitializeResponse = Inbound<typeof initializeResponse>;

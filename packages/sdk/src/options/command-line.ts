import type { McpServerConfig } from '../types/mcp.ts';
import type { Options, ThinkingConfig } from '../types/options.ts';
import { settingsArgument } from './settings-argument.ts';

const PROTOCOL_FLAGS = ['--output-format', 'stream-json', '--verbose', '--input-format', 'stream-json'];

/** The arguments that make an agent behave as the options say. What is not said here, `initialize` says. */
export function commandLine(options: Options): string[] {
  return [
    ...PROTOCOL_FLAGS,
    ...thinkingFlags(options),
    ...value('effort', options.effort),
    ...value('max-turns', options.maxTurns),
    ...value('max-budget-usd', options.maxBudgetUsd),
    ...value('task-budget', options.taskBudget?.total),
    ...value('model', options.model),
    ...value('fallback-model', options.fallbackModel),
    ...value('agent', options.agent),
    ...list('betas', options.betas),
    ...value('json-schema', options.outputFormat && JSON.stringify(options.outputFormat.schema)),
    ...(options.debugFile ? value('debug-file', options.debugFile) : flag('debug', options.debug)),
    ...value('permission-prompt-tool', options.canUseTool ? 'stdio' : options.permissionPromptToolName),
    ...value('permission-prompts', options.permissionPrompts),
    ...flag('continue', options.continue),
    ...value('resume', options.resume),
    ...value('resume-session-at', options.resumeSessionAt),
    ...value('resume-drops-turn', options.resumeDropsTurn),
    ...flag('fork-session', options.forkSession),
    ...value('session-id', options.sessionId),
    ...flag('no-session-persistence', options.persistSession === false),
    ...list('allowedTools', [...(options.allowedTools ?? []), ...skillRules(options.skills)]),
    ...list('disallowedTools', options.disallowedTools),
    ...value('tools', toolsOf(options.tools)),
    ...mcpFlags(options.mcpServers),
    ...flag('strict-mcp-config', options.strictMcpConfig),
    ...flag('session-mirror', options.sessionStore !== undefined),
    ...value('setting-sources', options.settingSources?.join(',')),
    ...value('project-config-root', options.projectConfigRoot),
    ...value('permission-mode', options.permissionMode),
    ...flag('allow-dangerously-skip-permissions', options.allowDangerouslySkipPermissions),
    ...flag('include-partial-messages', options.includePartialMessages),
    ...flag('include-hook-events', options.includeHookEvents),
    ...each('add-dir', options.additionalDirectories),
    ...pluginFlags(options),
    ...json('managed-settings', options.managedSettings),
    ...pair('settings', settingsArgument(options)),
    ...extraFlags(options.extraArgs),
  ];
}

/** In one argument, so that a value may begin with a dash. */
function value(name: string, of: string | number | undefined): string[] {
  return of === undefined ? [] : [`--${name}=${of}`];
}

function pair(name: string, of: string | undefined): string[] {
  return of === undefined ? [] : [`--${name}`, of];
}

function json(name: string, of: object | undefined): string[] {
  return pair(name, of && JSON.stringify(of));
}

function flag(name: string, isSet: boolean | undefined): string[] {
  return isSet ? [`--${name}`] : [];
}

function list(name: string, of: readonly string[] | undefined): string[] {
  return of && of.length > 0 ? value(name, of.join(',')) : [];
}

function each(name: string, of: readonly string[] = []): string[] {
  return of.flatMap((item) => value(name, item));
}

function thinkingFlags({ thinking, maxThinkingTokens }: Options): string[] {
  if (!thinking) return value('max-thinking-tokens', maxThinkingTokens);
  return [...thinkingAmount(thinking), ...value('thinking-display', displayOf(thinking))];
}

function thinkingAmount(thinking: ThinkingConfig): string[] {
  const hasBudget = thinking.type === 'enabled' && thinking.budgetTokens !== undefined;
  if (hasBudget) return value('max-thinking-tokens', thinking.budgetTokens);
  return value('thinking', thinking.type === 'disabled' ? 'disabled' : 'adaptive');
}

function displayOf(thinking: ThinkingConfig): string | undefined {
  return thinking.type === 'disabled' ? undefined : thinking.display;
}

/** A skill that is asked for must not be stopped by the question whether it may run. */
function skillRules(skills: Options['skills']): string[] {
  if (skills === undefined) return [];
  return skills === 'all' ? ['Skill'] : skills.map((name) => `Skill(${name})`);
}

function toolsOf(tools: Options['tools']): string | undefined {
  if (tools === undefined) return undefined;
  return Array.isArray(tools) ? tools.join(',') : 'default';
}

/** Servers that live in this process are announced by `initialize`. */
function mcpFlags(servers: Record<string, McpServerConfig> = {}): string[] {
  const outside = Object.entries(servers).filter(([, config]) => config.type !== 'sdk');
  return outside.length > 0 ? json('mcp-config', { mcpServers: Object.fromEntries(outside) }) : [];
}

function pluginFlags({ plugins = [], pluginDelivery }: Options): string[] {
  if (pluginDelivery === 'initialize' && plugins.length > 0) return ['--await-initialize'];
  return each(
    'plugin-dir',
    plugins.map(({ path }) => path),
  );
}

function extraFlags(extra: Record<string, string | null> = {}): string[] {
  return Object.entries(extra).flatMap(([name, of]) => (of === null ? [`--${name}`] : [`--${name}`, of]));
}

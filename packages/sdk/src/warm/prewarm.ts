import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { type ControlRequestBody, type JsonObject, messageOf } from '@signalbox/protocol';
import { atItsWord } from '../agent-words.ts';
import { OptionsError } from '../options-error.ts';
import type { Conversation } from '../query/conversation.ts';
import { converse } from '../query/query.ts';
import type { Options } from '../types/options.ts';
import type { Query } from '../types/query.ts';
import type { Claim, ClaimOptions, SpareProcess } from '../types/warm.ts';
import { type StartupParams, startedAgent } from './started-agent.ts';
import { ClaimError, WarmAgentError } from './warm-errors.ts';

/** Settings that decide which hooks run: they must hold before the first one does. */
const ABOUT_HOOKS = [
  'hooks',
  'disableAllHooks',
  'allowManagedHooksOnly',
  'allowedHttpHookUrls',
  'httpHookAllowedEnvVars',
];

/** Settings that the folder's own would override if they came before it. */
const AFTER_CLAIM = ['model', 'agent', 'fastMode', 'permissions', 'availableModels', 'disableAutoMode'];

/**
 * Start an agent before it is known which session it is for, and make it one with `claim`. Rejects with an agent that
 * cannot wait so: `signalbox-agent` can, and the real `claude` since 2.1.325 at the latest.
 */
export async function prewarm({
  options = {},
  initializeTimeoutMs,
}: StartupParams = {}): Promise<SpareProcess> {
  const folder = options.cwd === undefined ? await parkingFolder(options) : undefined;
  const extraArgs = { ...options.extraArgs, 'await-claim': null };
  const parked = { ...options, cwd: options.cwd ?? folder ?? '', extraArgs };
  const leave = async (): Promise<void> => {
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  };
  try {
    return new SpareAgent(await startedAgent(parked, initializeTimeoutMs), options, leave);
  } catch (error) {
    await leave();
    throw error;
  }
}

/** A folder that holds nothing: what an agent would find elsewhere is not the session's. */
async function parkingFolder({ env = process.env }: Options): Promise<string> {
  const home = env['CLAUDE_CONFIG_DIR'] || join(env['HOME'] ?? homedir(), '.claude');
  const spares = join(home, 'spares');
  await mkdir(spares, { recursive: true, mode: 0o700 });
  return mkdtemp(join(spares, 'spare-'));
}

class SpareAgent implements SpareProcess {
  readonly claimed: Promise<Claim>;
  readonly exited: Promise<void>;
  readonly #conversation: Conversation;
  readonly #options: Options;
  #state: 'parked' | 'claimed' | 'gone' = 'parked';
  #settle: (claim: Promise<Claim>) => void = () => {};

  constructor(conversation: Conversation, options: Options, leave: () => Promise<void>) {
    this.#conversation = conversation;
    this.#options = options;
    this.claimed = new Promise((settle) => {
      this.#settle = settle;
    });
    // Whoever awaits it is told; a program that does not must not die of it.
    this.claimed.catch(() => {});
    this.exited = conversation.ended.then(() => {
      this.#leave('spare_exited: the spare agent left before it was claimed');
      return leave();
    });
  }

  claim({ prompt, options }: Parameters<SpareProcess['claim']>[0]): Query {
    if (this.#state === 'claimed') throw new WarmAgentError('SpareProcess.claim() can only be called once.');
    if (this.#state === 'gone')
      throw new WarmAgentError('The spare agent was closed, or has left. Start the session with query().');
    const aboutHooks = Object.keys(options.settings ?? {}).filter((key) => ABOUT_HOOKS.includes(key));
    if (aboutHooks.length > 0)
      throw new OptionsError(
        `A claim cannot set ${aboutHooks.join(', ')}: give it to prewarm() in options.settings. The spare still waits.`,
      );
    this.#state = 'claimed';
    const ready = new Promise<void>((onReady, onFailed) => {
      const claimed = this.#claim(options, onReady);
      claimed.catch(onFailed);
      this.#settle(claimed);
    });
    ready.catch(() => {});
    // Settings may hold rules: no prompt is sent before they are in force. Without any there is nothing to wait for.
    return converse(this.#conversation, prompt, this.#options, options.settings && ready);
  }

  close(): void {
    this.#leave('spare_closed: the spare agent was closed before it was claimed');
    this.#conversation.end();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.close();
    await this.exited;
  }

  /** What is asked without waiting is written in this order, and before a prompt that follows. */
  async #claim(options: ClaimOptions, onReady: () => void): Promise<Claim> {
    const { before, after } = overlays(options.settings);
    if (before) await this.#apply(before);
    const answer = this.#conversation.request(claimRequest(options, this.#conversation.sdkServers.names));
    this.#conversation.isDescribedBy(answer);
    if (after) await this.#apply(after, claimIn(await answer));
    const settling = Promise.allSettled(
      sessionRequests(options).map((body) => this.#conversation.request(body)),
    );
    onReady();
    const claim = claimIn(await answer);
    for (const outcome of await settling)
      if (outcome.status === 'rejected') throw notApplied('option', outcome.reason, claim);
    return claim;
  }

  async #apply(settings: JsonObject, claim?: Claim): Promise<void> {
    try {
      await this.#conversation.request({ subtype: 'apply_flag_settings', settings });
    } catch (error) {
      throw notApplied('settings', error, claim);
    }
  }

  #leave(reason: string): void {
    if (this.#state !== 'parked') return;
    this.#state = 'gone';
    this.#settle(Promise.reject(new ClaimError(reason)));
  }
}

function notApplied(what: 'option' | 'settings', reason: unknown, claim: Claim | undefined): ClaimError {
  return new ClaimError(`${what}_not_applied: ${messageOf(reason)}`, claim, reason);
}

/** Which settings go ahead of the claim, and which follow it. */
function overlays(settings: JsonObject = {}): { before?: JsonObject; after?: JsonObject } {
  const part = (isAfter: boolean): JsonObject =>
    Object.fromEntries(Object.entries(settings).filter(([key]) => AFTER_CLAIM.includes(key) === isAfter));
  const [before, after] = [part(false), part(true)];
  return {
    ...(Object.keys(before).length > 0 ? { before } : {}),
    ...(Object.keys(after).length > 0 ? { after } : {}),
  };
}

function claimRequest(options: ClaimOptions, sdkServers: readonly string[]): ControlRequestBody {
  return {
    subtype: 'claim_session',
    // A tilde is the agent's to resolve: it may run elsewhere.
    cwd: options.cwd.startsWith('~') ? options.cwd : resolve(options.cwd),
    permission_mode: options.permissionMode,
    env: options.env,
    additional_directories: options.additionalDirectories,
    append_system_prompt: options.appendSystemPrompt,
    title: options.title,
    agents: options.agents,
    sdk_mcp_servers: sdkServers,
    include_initialize: true,
  };
}

/** What a claim does not carry itself. */
function sessionRequests({ model, maxThinkingTokens }: ClaimOptions): ControlRequestBody[] {
  return [
    ...(model === undefined ? [] : [{ subtype: 'set_model' as const, model }]),
    ...(maxThinkingTokens === undefined
      ? []
      : [{ subtype: 'set_max_thinking_tokens' as const, max_thinking_tokens: maxThinkingTokens }]),
  ];
}

function claimIn(answer: JsonObject): Claim {
  const { cwd, session_id, parked_ms, sdk_mcp_settled } = atItsWord('claim', answer);
  return {
    cwd,
    sessionId: session_id,
    ...(parked_ms === undefined ? {} : { parkedMs: parked_ms }),
    sdkMcpSettled: sdk_mcp_settled ?? true,
  };
}

import { setImmediate as nextTick } from 'node:timers/promises';
import {
  isJsonObject,
  type JsonObject,
  messageOf,
  objectAt,
  type PermissionMode,
  type WireLine,
} from '@signalbox/protocol';
import type { Transport } from '@signalbox/transport';
import type { Output } from '../base/host.ts';
import type { AgentOptions } from '../command-line/agent-options.ts';
import type { GrantedClaim } from '../control/answer-claim.ts';
import type { AgentSession } from '../conversation/agent-session.ts';
import { HostLink } from '../io/host-link.ts';
import { withLines } from '../io/with-lines.ts';
import { noCount, resultMessage } from '../loop/turn-result.ts';
import { loadPermissions } from '../permission/load-permissions.ts';
import { PermissionModeError } from '../permission/mode-error.ts';
import type { LiveSettings } from '../settings/live-settings.ts';
import { loadSettings } from '../settings/load-settings.ts';
import { type StartContext, startContextIn } from '../start/start-context.ts';
import { answerParked, type ParkedWishes } from './answer-parked.ts';
import { type Claim, readClaim, refuse } from './read-claim.ts';

/** What a spare agent is made of. */
export interface SpareParts {
  readonly options: AgentOptions;
  readonly context: StartContext;
  readonly settings: LiveSettings;
  readonly transport: Transport;
  readonly output: Output;
  /** A session of the folder where it waits: it tells what there is, and gets no prompt. */
  readonly session: AgentSession;
}

/** What a claimed session begins with: all that a session begins with that is started for it. */
export interface ClaimedStart {
  readonly options: AgentOptions;
  readonly context: StartContext;
  /** Its first line is the claim. */
  readonly transport: Transport;
  readonly claim: GrantedClaim;
}

/** An agent that waits to be told which session it is to be. */
export class SpareAgent {
  readonly #parts: SpareParts;
  readonly #since = performance.now();
  readonly #lines: AsyncIterator<WireLine>;
  readonly #variables: Record<string, string> = {};
  readonly #wishes: ParkedWishes = {};
  #granted: ClaimedStart | undefined;
  #refusal: unknown;
  #refusedPrompts = 0;

  constructor(parts: SpareParts) {
    this.#parts = parts;
    this.#lines = parts.transport.receive();
  }

  /** Whether a prompt came before a claim. */
  get hasRefusedPrompts(): boolean {
    return this.#refusedPrompts > 0;
  }

  /** Answer the host until it claims a session that can be made; undefined when it leaves instead. */
  async claimed(): Promise<ClaimedStart | undefined> {
    const { transport, output, session, settings } = this.#parts;
    const link = new HostLink(
      { send: (line) => transport.send(line), receive: () => this.#untilClaimed(link) },
      output,
      {
        onPrompt: () => this.#refusePrompt(),
        onLateAnswer: () => {},
        onEnvironment: (variables) => void Object.assign(this.#variables, variables),
      },
    );
    answerParked(link.peer, session, settings, this.#wishes);
    // Those that are granted do not get here: the session that is made for them answers.
    link.peer.handle('claim_session', () => {
      throw this.#refusal;
    });
    await link.peer.run();
    await session.close();
    return this.#granted;
  }

  async *#untilClaimed(link: HostLink): AsyncGenerator<WireLine> {
    for (let next = await this.#lines.next(); !next.done; next = await this.#lines.next()) {
      this.#granted = await this.#grant(next.value);
      if (!this.#granted) {
        yield next.value;
        continue;
      }
      // What is asked before a claim is answered before it.
      while (link.peer.unansweredRequests().length > 0) await nextTick();
      return;
    }
  }

  async #grant(line: WireLine): Promise<ClaimedStart | undefined> {
    const request = claimIn(line);
    if (!request) return undefined;
    try {
      return this.#startOf(await readClaim(request, this.#parts.context), line);
    } catch (error) {
      this.#refusal = error;
      return undefined;
    }
  }

  #startOf(claim: Claim, line: WireLine): ClaimedStart {
    const { context, transport } = this.#parts;
    const env = { ...context.env, ...this.#variables, ...claim.env };
    const claimedContext = startContextIn(claim.cwd, env, context.onProblem);
    const options = this.#optionsFor(claim);
    // Whether a mode may be entered is for the launch to say: a claim for it is no launch with it.
    checkStart(
      { ...options, permissionMode: this.#parts.options.permissionMode },
      claimedContext,
      options.permissionMode,
    );
    const { initialize = {}, title } = this.#wishes;
    return {
      options,
      context: claimedContext,
      transport: withLines(transport, () => resumed(line, this.#lines)),
      claim: {
        wishes: {
          ...initialize,
          ...(claim.appendSystemPrompt === undefined ? {} : { appendSystemPrompt: claim.appendSystemPrompt }),
          ...(claim.sdkMcpServers === undefined ? {} : { sdkMcpServers: claim.sdkMcpServers }),
          agents: { ...(isJsonObject(initialize.agents) ? initialize.agents : {}), ...claim.agents },
        },
        isInitialized: this.#wishes.initialize !== undefined,
        title: claim.title ?? title,
        includesOffer: claim.includesOffer,
        parkedMs: Math.round(performance.now() - this.#since),
      },
    };
  }

  /** What the command line of a session would have said that is started for this claim. */
  #optionsFor({ permissionMode, additionalDirectories }: Claim): AgentOptions {
    const { options, settings } = this.#parts;
    const { model, maxThinkingTokens, permissionMode: chosen } = this.#wishes;
    const flagSettings = settings.flagSettings();
    const mode = permissionMode ?? chosen ?? options.permissionMode;
    return {
      ...options,
      awaitsClaim: false,
      model: model ?? options.model,
      maxThinkingTokens: maxThinkingTokens ?? options.maxThinkingTokens,
      permissionMode: mode,
      mayBypass: options.mayBypass || options.permissionMode === 'bypassPermissions',
      additionalDirectories: [...options.additionalDirectories, ...additionalDirectories],
      settings: Object.keys(flagSettings).length > 0 ? JSON.stringify(flagSettings) : undefined,
    };
  }

  #refusePrompt(): void {
    const { output, session } = this.#parts;
    this.#refusedPrompts += 1;
    const error = new Error(
      'not_claimed: this process was started with --await-claim and has not been claimed; send claim_session before the first message',
    );
    void output.write(resultMessage({ how: 'failed', error }, noCount(), session.id));
  }
}

/** The claim that a line makes, if it makes one. What cannot be read is the peer's to tell. */
function claimIn(line: WireLine): JsonObject | undefined {
  if (line.head().type !== 'control_request') return undefined;
  try {
    const request = objectAt(line.json(), 'request');
    return request.subtype === 'claim_session' ? request : undefined;
  } catch {
    return undefined;
  }
}

/** A session never runs under another mode than the one asked for, and none is begun whose settings cannot be read. */
function checkStart(options: AgentOptions, context: StartContext, mode: PermissionMode | undefined): void {
  const quiet = { ...context, onProblem: () => {} };
  try {
    const permissions = loadPermissions(options, quiet, loadSettings({ ...quiet, options }));
    if (mode !== undefined) permissions.assertAllowed(mode);
  } catch (error) {
    if (error instanceof PermissionModeError) refuse('permission_mode_not_claimable', error.message);
    refuse('claim_failed', messageOf(error));
  }
}

async function* resumed(first: WireLine, rest: AsyncIterator<WireLine>): AsyncGenerator<WireLine> {
  yield first;
  for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
}

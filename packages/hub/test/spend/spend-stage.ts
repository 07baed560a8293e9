import { TestAgent } from '@signalbox/testing/hub/test-agent';
import { call, startTestHub, until } from '@signalbox/testing/hub/test-parts';
import type { HubOptions } from '../../src/hub.ts';

/** What a reply of the stage costs: 100,000 tokens of input at 4 dollars for a million. */
export const REPLY_USD = 0.4;
export const REPLY_TOKENS = 100_000;

const MODEL = 'claude-opus-5-5';

/** What a test of budgets works with: a hub, and agents that say what they cost. */
export async function spendStage(options: Partial<HubOptions> = {}) {
  const { hub, store, token } = await startTestHub(options);
  const api = async (method: string, path: string, body?: object, as = token) =>
    call(hub.url, as, method, path, body);
  const add = async (budget: object) => {
    const { status, body } = await api('POST', '/api/budgets', budget);
    if (status !== 201) throw new Error(`${body.code}: ${body.detail}`);
    return body;
  };
  const dial = async (session: string, folder?: string): Promise<Spender> => {
    await store.sessions.create(session, { folder: folder ?? null });
    if (folder !== undefined)
      await store.launches.keep(session, { spec: { agent: 'claude', folder }, device: '' });
    return new Spender(await TestAgent.dial(`${hub.url}/ws/${session}`, token));
  };
  const prompt = async (session: string, content: string, as = token) =>
    api('POST', `/api/sessions/${session}/prompts`, { clientId: crypto.randomUUID(), content }, as);
  const session = async (id: string) => (await api('GET', `/api/sessions/${id}`)).body;
  const notes = async (id: string) => {
    const { body } = await api('GET', `/api/sessions/${id}/events?limit=1000`);
    return body.entries
      .map(({ message }: { message: object }) => message)
      .filter((one: { subtype?: string; type?: string }) => one?.type === 'hub' && one.subtype === 'budget');
  };
  return { hub, store, token, api, add, dial, prompt, session, notes };
}

/** An agent that says what it costs. */
export class Spender {
  readonly agent: TestAgent;
  #replies = 0;
  #sum = 0;
  #turn = 0;

  constructor(agent: TestAgent) {
    this.agent = agent;
  }

  /** How often it was told to stop. */
  get interrupts(): number {
    return this.agent.heard.filter(({ request }) => request?.subtype === 'interrupt').length;
  }

  get prompts(): string[] {
    return this.agent.prompts;
  }

  async hasPrompt(count: number): Promise<void> {
    await until(() => this.agent.prompts.length >= count);
  }

  async reply(): Promise<void> {
    this.#replies += 1;
    this.#turn += 1;
    const usage = { input_tokens: REPLY_TOKENS, output_tokens: 0 };
    const content = [{ type: 'tool_use', id: 't', name: 'Bash' }];
    const message = { id: `m${this.#replies}`, role: 'assistant', model: MODEL, content, usage };
    await this.agent.say({ type: 'assistant', message, session_id: 'a', uuid: crypto.randomUUID() });
  }

  async result(more: object = {}): Promise<void> {
    this.#sum += this.#turn;
    const use = (replies: number) => ({
      [MODEL]: {
        inputTokens: replies * REPLY_TOKENS,
        outputTokens: 0,
        cacheReadInputTokens: 0,
        cacheCreationInputTokens: 0,
        costUSD: replies * REPLY_USD,
      },
    });
    await this.agent.say({
      type: 'result',
      subtype: 'success',
      is_error: false,
      session_id: 'a',
      uuid: crypto.randomUUID(),
      total_cost_usd: this.#sum * REPLY_USD,
      modelUsage: use(this.#sum),
      model_usage_since_last_result: use(this.#turn),
      ...more,
    });
    this.#turn = 0;
  }

  /** It does as it is told. */
  async obey(count: number): Promise<void> {
    const { request_id } = await until(
      () => this.agent.heard.filter(({ request }) => request?.subtype === 'interrupt')[count - 1],
    );
    await this.agent.say({
      type: 'control_response',
      response: { subtype: 'success', request_id, response: {} },
    });
    await this.result({ subtype: 'error_during_execution', terminal_reason: 'aborted_tools' });
  }
}

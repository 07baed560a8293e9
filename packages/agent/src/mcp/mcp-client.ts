import { pathToFileURL } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { ElicitRequestSchema, ListRootsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { type JsonObject, parseControlPayload } from '@signalbox/protocol';
import { AGENT_VERSION } from '../base/version.ts';

/** Asks a person on a server's behalf; resolves with the answer of the control request `elicitation`. */
export type Elicit = (request: JsonObject, signal: AbortSignal) => Promise<unknown>;

/** What a server may ask of us. */
export interface ClientParts {
  readonly serverName: string;
  /** Servers in the host are asked there. */
  readonly isInHost: boolean;
  readonly cwd: string;
  readonly elicit?: Elicit | undefined;
}

/** A client that answers what servers ask: where the work is, and questions to people. */
export function createClient({ serverName, isInHost, cwd, elicit }: ClientParts): Client {
  const person = isInHost ? undefined : elicit;
  const capabilities = {
    ...(isInHost ? {} : { roots: {} }),
    ...(person ? { elicitation: { form: {}, url: {} } } : {}),
  };
  const client = new Client({ name: 'signalbox-agent', version: AGENT_VERSION }, { capabilities });
  if (!isInHost) {
    client.setRequestHandler(ListRootsRequestSchema, () => ({ roots: [{ uri: pathToFileURL(cwd).href }] }));
  }
  if (person) {
    client.setRequestHandler(ElicitRequestSchema, async ({ params }, { signal }) => {
      const question = {
        mcp_server_name: serverName,
        message: params.message,
        ...(params.mode === 'url'
          ? { mode: 'url', url: params.url, elicitation_id: params.elicitationId }
          : { mode: 'form', requested_schema: params.requestedSchema }),
      };
      return answerOf(await person(question, signal).catch(() => undefined));
    });
  }
  return client;
}

/** A host that cannot ask, or answers something else, has not decided for the person: that is no refusal. */
function answerOf(answer: unknown): { action: 'accept' | 'decline' | 'cancel'; content?: Answers } {
  try {
    const { action, content } = parseControlPayload('elicitation', answer);
    if (action === 'accept') return { action, ...(content ? { content: answersOf(content) } : {}) };
    return { action: action === 'decline' ? 'decline' : 'cancel' };
  } catch {
    return { action: 'cancel' };
  }
}

type Answers = Record<string, string | number | boolean | string[]>;

function answersOf(content: JsonObject): Answers {
  const answers: Answers = {};
  for (const [name, value] of Object.entries(content)) {
    if (Array.isArray(value)) answers[name] = value.map(String);
    else if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
      answers[name] = value;
  }
  return answers;
}

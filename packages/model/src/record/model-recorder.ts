import { readConversation } from '../api/conversation.ts';
import { type MessagesRequest, parseMessagesRequest } from '../api/request.ts';
import { RecordingFullError } from '../errors.ts';
import { answerBackground } from '../scenario/background.ts';
import { type Exchange, startHttpFront } from '../server/http-front.ts';
import { Ids } from '../server/ids.ts';
import type { Ending } from '../server/perform.ts';
import { readBody } from '../server/read-body.ts';
import { type LoggedRequest, RequestLog } from '../server/request-log.ts';
import { Recording } from './recording.ts';
import { scrub, secretsOf } from './secrets.ts';
import { Upstream } from './upstream.ts';
import { parseReply } from './whole-message.ts';

/** The longest reply that is recorded, in characters; a longer one is only passed on. */
export const RECORDED_REPLY_LIMIT = 16 * 1024 * 1024;

export interface ModelRecorderOptions {
  /** The Messages API to pass requests on to, with the client's own key. */
  readonly upstream: string;
  /** The scenario file to write; must not exist yet. */
  readonly file: string;
  /** 0, the default, takes any free port. */
  readonly port?: number;
  readonly host?: string;
  /** Called when a request has been answered, refused or left. */
  readonly onRequest?: (request: LoggedRequest) => void;
  /** Called when a reply was passed on but could not be recorded. */
  readonly onProblem?: (error: unknown) => void;
}

/** A running recorder. */
export interface ModelRecorder {
  /** What goes into `ANTHROPIC_BASE_URL`. */
  readonly url: string;
  readonly port: number;
  /** The newest requests, oldest first. */
  readonly requests: readonly LoggedRequest[];
  /** Stops, when the last reply is saved; can be called again. */
  close(): Promise<void>;
}

/** The request of a reply that can be recorded; what is wrong with another is for the upstream to say. */
function readRequest({ request, path }: Exchange, body: Buffer): MessagesRequest | undefined {
  if (request.method !== 'POST' || path !== '/v1/messages') return undefined;
  try {
    return parseMessagesRequest(JSON.parse(scrub(body.toString('utf8'), secretsOf(request.headers))));
  } catch {
    return undefined;
  }
}

/** Starts a proxy to a real Messages API that writes a scenario of what it sees. */
export async function startModelRecorder(options: ModelRecorderOptions): Promise<ModelRecorder> {
  const { file, host = '127.0.0.1', port = 0, onRequest, onProblem } = options;
  const upstream = new Upstream(options.upstream);
  const recording = await Recording.create(file);
  const log = new RequestLog();
  const unsaved = new Set<Promise<void>>();

  const record = async (asked: MessagesRequest, exchange: Exchange, text: string, contentType: string) => {
    if (text.length > RECORDED_REPLY_LIMIT) throw new RecordingFullError(file, 'a reply is too long');
    const conversation = readConversation(asked);
    const message = parseReply(text, contentType);
    // Side requests are answered by every scenario: in the recording they would only be in the way.
    if (!message || answerBackground(asked, conversation)) return;
    await recording.add(conversation, message, secretsOf(exchange.request.headers));
  };

  const handle = async (exchange: Exchange): Promise<Ending> => {
    const body = await readBody(exchange.request);
    const asked = readRequest(exchange, body);
    exchange.logged.body = asked;
    exchange.logged.lastUserText = asked && readConversation(asked).lastUserText;
    const decoder = new TextDecoder();
    let text = '';
    const { ok, contentType } = await upstream.pass(exchange, body, (chunk) => {
      if (asked && text.length <= RECORDED_REPLY_LIMIT) text += decoder.decode(chunk, { stream: true });
    });
    if (asked && ok) {
      const saving = record(asked, exchange, text, contentType).catch((error: unknown) => onProblem?.(error));
      unsaved.add(saving);
      void saving.then(() => unsaved.delete(saving));
    }
    return 'answered';
  };

  const front = await startHttpFront({ host, port, ids: new Ids(), log, onRequest, handle }).catch(
    async (error: unknown) => {
      await recording.discard();
      throw error;
    },
  );
  return {
    url: front.url,
    port: front.port,
    requests: log.requests,
    close: async () => {
      await front.close();
      await Promise.all(unsaved);
    },
  };
}

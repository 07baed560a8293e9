import { LIMITS } from '@signalbox/protocol';
import { DATABASE, JSONL, takesBody, takesKey } from '@signalbox/protocol/hub/routes';
import { type DeviceQuotas, LONG_ANSWER_BYTES } from '../../auth/device-quotas.ts';
import type { Gatekeeper } from '../../auth/gatekeeper.ts';
import type { OpenSockets } from '../../auth/open-sockets.ts';
import { freeMemory, LONG_MESSAGE_BYTES } from '../../base/free-memory.ts';
import { KeyedQueue } from '../../base/keyed-queue.ts';
import { RequestInvalidError } from '../../base/request-errors.ts';
import { permit } from '../../service/permit.ts';
import type { Store } from '../../store/store.ts';
import type { Exchange } from '../http/exchange.ts';
import type { Router } from '../http/router.ts';
import type { Endpoint } from './endpoints.ts';
import { Repeats } from './repeats.ts';
import { bodyIn } from './request.ts';

const JSON_TYPE = 'application/json';

/** What endpoints are served with. */
export interface EndpointParts {
  endpoints: readonly Endpoint[];
  gatekeeper: Gatekeeper;
  quotas: DeviceQuotas;
  sockets: OpenSockets;
  store: Store;
}

/** Have each endpoint answer its requests. */
export function serveEndpoints(router: Router, parts: EndpointParts): void {
  const { endpoints, gatekeeper, quotas, sockets, store } = parts;
  const repeats = new Repeats(store.answers);
  const long = new KeyedQueue();
  for (const { key: name, method, path, route, serve } of endpoints) {
    const { status = 200, isLong = false, isSlow = false, size } = route;
    const hasBody = takesBody(method);
    const isStreamed = route.gives === JSONL || route.gives === DATABASE;
    router.on(method, path, async (exchange, params) => {
      const visitor = await sockets.entering(async () => {
        const found = await gatekeeper.visitor(exchange.header);
        // A token that is revoked takes along what it is sending or reads: nothing else of a request takes long.
        if (hasBody) sockets.add(found.device, exchange.body);
        if (isStreamed || isLong) sockets.add(found.device, exchange.reply);
        return found;
      });
      const { device } = visitor;
      exchange.onEnd(quotas.take(device.id, 'requests'));
      // Before anything of it is read. What more it takes depends on what is asked for: the services decide that.
      permit(device, route.scope, params.session ?? device.session ?? undefined);
      if (isStreamed) exchange.onEnd(quotas.take(device.id, 'downloads'));
      const { query } = exchange;
      const call = { device, params, query, lines: () => exchange.bytes() };
      if (isLong) {
        const body = hasBody ? await valueIn(exchange, size) : undefined;
        const lane = isSlow ? JSON.stringify([device.id, params.session]) : device.id;
        return long.run(lane, async () => {
          // Whoever has left meanwhile costs nobody anything.
          if (exchange.isGone) return;
          const take = (): (() => void) => {
            const release = quotas.take(device.id, 'downloads');
            exchange.onEnd(release);
            return release;
          };
          // What is slow holds nothing while it waits: its answer is limited where it is made.
          const early = isSlow ? undefined : take();
          const content = bytesOf(await serve({ ...call, body }));
          if (content.byteLength <= LONG_ANSWER_BYTES) early?.();
          else if (!early) take();
          exchange.answer(status, JSON_TYPE, content);
          if (content.byteLength > LONG_MESSAGE_BYTES) freeMemory();
        });
      }
      const answerWith = async (answer: unknown): Promise<void> => {
        const type = route.gives ?? JSON_TYPE;
        if (isLines(answer)) await exchange.stream(status, type, answer);
        else exchange.answer(status, type, bytesOf(answer));
      };
      if (route.takes === JSONL) {
        exchange.expectType(JSONL);
        return answerWith(await serve(call));
      }
      const key = takesKey(name, route) ? keyIn(exchange) : undefined;
      if (key === undefined) {
        const body = hasBody ? await valueIn(exchange, size) : undefined;
        return answerWith(await serve({ ...call, body }));
      }
      const { text, value: body } = await bodyIn(exchange, size);
      const reply = await repeats.once(visitor, key, {
        request: `${exchange.path}\n${JSON.stringify(query)}\n${text}`,
        isRepeatable: route.isRepeatable ?? false,
        work: async (attempt) => ({
          status,
          body: JSON.stringify(await serve({ ...call, body, attempt })),
        }),
      });
      return exchange.answer(status, JSON_TYPE, reply.body);
    });
  }
}

/** The body as a value. While it is worked on, the text that it was read from is not held: it may be long. */
async function valueIn(exchange: Exchange, size: Endpoint['route']['size']): Promise<unknown> {
  const read = async (): Promise<{ value: unknown; isLong: boolean }> => {
    const { text, value } = await bodyIn(exchange, size);
    return { value, isLong: text.length > LONG_MESSAGE_BYTES };
  };
  const { value, isLong } = await read();
  if (isLong) freeMemory();
  return value;
}

function keyIn({ header }: Exchange): string | undefined {
  const key = header('idempotency-key');
  if (key !== undefined && (key === '' || key.length > LIMITS.idempotencyKeyLength.most))
    throw new RequestInvalidError(
      `an Idempotency-Key has 1 to ${LIMITS.idempotencyKeyLength.most} characters`,
    );
  return key;
}

function bytesOf(answer: unknown): Uint8Array {
  return answer instanceof Uint8Array ? answer : Buffer.from(JSON.stringify(answer));
}

function isLines(answer: unknown): answer is AsyncIterable<string | Uint8Array> {
  return typeof answer === 'object' && answer !== null && Symbol.asyncIterator in answer;
}

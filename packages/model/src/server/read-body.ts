import type { IncomingMessage } from 'node:http';
import { ApiError } from '../api/api-error.ts';

/** The largest request body that is read, as in the real API. */
export const BODY_LIMIT_BYTES = 32 * 1024 * 1024;

function tooLarge(): ApiError {
  return new ApiError(413, `Request exceeds the maximum size of ${BODY_LIMIT_BYTES} bytes`);
}

/** The whole body of a request; past the limit it rejects at once and the rest is read away unseen. */
export async function readBody(request: IncomingMessage): Promise<Buffer> {
  if (Number(request.headers['content-length']) > BODY_LIMIT_BYTES) {
    request.resume();
    throw tooLarge();
  }
  return await new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const take = (chunk: Buffer) => {
      size += chunk.length;
      if (size <= BODY_LIMIT_BYTES) {
        chunks.push(chunk);
        return;
      }
      request.off('data', take);
      // Without a reader the client could not finish its upload, and would never see the answer.
      request.resume();
      reject(tooLarge());
    };
    request.on('data', take);
    request.on('end', () => resolve(Buffer.concat(chunks)));
    request.on('error', reject);
    request.on('close', () => reject(new Error('the client left before its body was read')));
  });
}

export function parseJsonBody(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    throw new ApiError(400, 'The request body is not valid JSON');
  }
}

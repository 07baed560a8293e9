import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Socket } from 'node:net';

/** Where a node is asked to prove that it is the one that it is taken for. */
export const PROOF_PATH = '/node-proof';

/** What it is asked with, and what it answers. */
export const CHALLENGE_HEADER = 'x-signalbox-challenge';
export const PROOF_HEADER = 'x-signalbox-proof';

const CHALLENGE_BYTES = 32;
const PROOF = new RegExp(`^${PROOF_HEADER}: ([0-9a-f]{64})\r$`, 'im');

/** How long an answer may be, and take. */
const MAX_ANSWER_BYTES = 4096;
const ANSWER_MS = 5000;

/** Who a node is, and what it proves that by. */
export interface PeerProof {
  node: string;
  key: string;
}

/** What nodes prove themselves by to whoever dials them. Bridges know it as well: it opens nothing. */
export function proofKeyOf(secret: string): string {
  return createHmac('sha256', secret).update('signalbox node proof').digest('hex');
}

/** Names the node: whoever has its port cannot have another one answer. Undefined for what is no challenge. */
export function proofOf({ node, key }: PeerProof, challenge: unknown): string | undefined {
  if (typeof challenge !== 'string' || challenge.length !== 2 * CHALLENGE_BYTES) return undefined;
  return createHmac('sha256', key)
    .update(JSON.stringify([node, challenge]))
    .digest('hex');
}

/** Raises when it is somebody else that has taken a connection. All else may be sent on it afterwards. */
export async function assertIsPeer(socket: Socket, expected: PeerProof): Promise<void> {
  const challenge = randomBytes(CHALLENGE_BYTES).toString('hex');
  socket.write(
    `GET ${PROOF_PATH} HTTP/1.1\r\nhost: localhost\r\n${CHALLENGE_HEADER}: ${challenge}\r\nconnection: keep-alive\r\n\r\n`,
  );
  const [, said = ''] = PROOF.exec(await headFrom(socket)) ?? [];
  const proof = proofOf(expected, challenge) ?? '';
  if (said.length === proof.length && timingSafeEqual(Buffer.from(said), Buffer.from(proof))) return;
  throw new Error(`it is not the node ${expected.node}`);
}

/** The head of an answer without a body. */
async function headFrom(socket: Socket): Promise<string> {
  let [head, onEnd] = ['', (_error?: Error): void => {}];
  const read = (): void => {
    head += socket.read()?.toString('latin1') ?? '';
    if (head.length > MAX_ANSWER_BYTES) onEnd(new Error('it says too much'));
    else if (head.endsWith('\r\n\r\n')) onEnd();
  };
  const fail = (error?: Error): void => onEnd(error ?? new Error('it has closed the connection'));
  const close = (): void => fail();
  const patience = setTimeout(() => fail(new Error('it took too long')), ANSWER_MS);
  try {
    await new Promise<void>((resolve, reject) => {
      onEnd = (error) => (error ? reject(error) : resolve());
      socket.on('readable', read).once('error', fail).once('close', close);
    });
    return head;
  } finally {
    clearTimeout(patience);
    // Whoever reads next has all that comes from then on.
    socket.off('readable', read).off('error', fail).off('close', close);
  }
}

import type { IncomingMessage, ServerResponse } from 'node:http';
import { CHALLENGE_HEADER, type PeerProof, PROOF_HEADER, PROOF_PATH, proofOf } from '../bridge/peer-proof.ts';

/** Prove to whoever asks that this is the node that it is; says whether that was asked. */
export function showProof(request: IncomingMessage, response: ServerResponse, own: PeerProof): boolean {
  if (request.method !== 'GET' || request.url !== PROOF_PATH) return false;
  const proof = proofOf(own, request.headers[CHALLENGE_HEADER]);
  response.on('error', () => {});
  response.writeHead(proof === undefined ? 400 : 204, proof === undefined ? {} : { [PROOF_HEADER]: proof });
  response.end();
  return true;
}

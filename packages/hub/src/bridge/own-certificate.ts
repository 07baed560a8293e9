import { X509Certificate } from 'node:crypto';
import { Agent } from 'node:https';
import { checkServerIdentity } from 'node:tls';

/** Makes connections to whoever shows this certificate (PEM), by whatever name it is dialled. */
export function agentTrusting(certificate: string): Agent {
  const { fingerprint256 } = new X509Certificate(certificate);
  return new Agent({
    ca: certificate,
    // One that an authority has signed is trusted without asking that authority.
    allowPartialTrustChain: true,
    // Only its owner can show the very certificate; any other that it vouches for must be for this name.
    checkServerIdentity: (host, shown) =>
      shown.fingerprint256 === fingerprint256 ? undefined : checkServerIdentity(host, shown),
  });
}

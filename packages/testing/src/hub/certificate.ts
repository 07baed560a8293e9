import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

/** The files of a certificate, both PEM. */
export interface CertificateFiles {
  cert: string;
  key: string;
}

/** A certificate that nobody vouches for but itself, or the authority that is given. */
export function makeCertificate(
  folder: string,
  { name = 'localhost', by }: { name?: string; by?: CertificateFiles } = {},
): CertificateFiles {
  const [cert, key] = [join(folder, `${name}.pem`), join(folder, `${name}.key`)];
  const names = name === 'localhost' ? 'DNS:localhost,IP:127.0.0.1' : `DNS:${name}`;
  const subject = ['-subj', `/CN=${name}`, '-addext', `subjectAltName=${names}`];
  const kind = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '1'];
  const signed = by
    ? ['-CA', by.cert, '-CAkey', by.key, '-addext', 'basicConstraints=critical,CA:FALSE']
    : [];
  execFileSync('openssl', ['req', ...kind, ...signed, '-keyout', key, '-out', cert, ...subject], {
    stdio: 'ignore',
  });
  return { cert, key };
}

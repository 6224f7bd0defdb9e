import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { CertificateFiles } from './certificate.ts';

const run = promisify(execFile);

/** Writes a certificate that signs itself. */
export async function writeCertificate({ certFile, keyFile }: CertificateFiles, name: string): Promise<void> {
  const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
  await run('openssl', ['req', '-x509', ...kind, '-subj', `/CN=${name}`, '-keyout', keyFile, '-out', certFile]);
}

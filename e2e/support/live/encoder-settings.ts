import { join } from 'node:path';
import { writeCertificate } from '../../../server/src/domains/live/encoders/certificate.fixture.ts';
import { freePort } from '../../../server/src/platform/config/free-port.ts';

/** Settings with which a platform receives RTMPS, by a certificate that signs itself, and SRT. */
export async function encoderSettings(folder: string): Promise<Record<string, string>> {
  const [certFile, keyFile] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
  await writeCertificate({ certFile, keyFile }, 'localhost');
  return {
    ...{ RTMPS_PORT: '0', RTMPS_CERT_FILE: certFile, RTMPS_KEY_FILE: keyFile },
    SRT_PORTS: `${await freePort()}`,
  };
}

import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { connect } from 'node:tls';
import { until } from '../../../testing/until.ts';
import type { Person } from '../../catalog/testing.ts';
import { type LiveFixture, openLiveFixture } from '../live.fixture.ts';
import { writeCertificate } from './certificate.fixture.ts';
import { Certificate, type CertificateFiles } from './certificate.ts';

describe('RTMPS', () => {
  let folder: string;
  let files: CertificateFiles;
  let live: LiveFixture;
  let anna: Person;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'reelgraph-rtmps-'));
    files = { certFile: join(folder, 'cert.pem'), keyFile: join(folder, 'key.pem') };
    await writeCertificate(files, 'first.test');
    const { certFile: RTMPS_CERT_FILE, keyFile: RTMPS_KEY_FILE } = files;
    live = await openLiveFixture({ RTMPS_PORT: '0', RTMPS_CERT_FILE, RTMPS_KEY_FILE });
    anna = await live.api.person('anna');
  });
  after(async () => {
    await live.close();
    await rm(folder, { recursive: true });
  });

  /** The address of the server of encoders. */
  const serverOf = (rtmps: string | null) => new URL(rtmps ?? assert.fail('it receives RTMPS'));

  it('receives encoders', async () => {
    const input = await live.input(anna);
    const { rtmps } = input.ingest;
    assert.match(rtmps ?? '', /^rtmps:\/\/127\.0\.0\.1:\d+\/live$/);
    const encoder = live.publish({ ...input, ingest: { ...input.ingest, rtmp: rtmps } }, { seconds: 5, isFast: true });
    assert.equal(await encoder.ended, '');
    await live.untilState(anna, input, 'IDLE');
    const [stream] = await live.api.rows<{ state: string }>('select state from broadcasts');
    assert.match(stream?.state ?? '', /^(ENDED|RECORDED)$/);
  });

  it('refuses encoders that do not encrypt, and goes on', async () => {
    const input = await live.input(anna);
    const before = await live.api.rows('select id from broadcasts');
    const plain = serverOf(input.ingest.rtmps).href.replace('rtmps:', 'rtmp:');
    const encoder = live.publish({ ...input, ingest: { ...input.ingest, rtmp: plain } }, { seconds: 3, isFast: true });
    assert.notEqual(await encoder.ended, '');
    assert.deepEqual(await live.api.rows('select id from broadcasts'), before);
    assert.equal(await certificateOf(Number(serverOf(input.ingest.rtmps).port)), 'first.test');
  });

  it('reads a renewed certificate, and keeps the former while the files do not belong together', async () => {
    const renewed = { certFile: join(folder, 'renewed.pem'), keyFile: join(folder, 'renewed-key.pem') };
    await writeCertificate(renewed, 'second.test');
    const certificate = await Certificate.open(renewed, live.api.platform.log);
    try {
      const first = certificate.context;
      await certificate.refresh();
      assert.equal(certificate.context, first);
      const { certFile } = renewed;
      await writeCertificate({ certFile, keyFile: join(folder, 'other-key.pem') }, 'third.test');
      await assert.rejects(certificate.refresh(), /key values mismatch/);
      assert.equal(certificate.context, first);
      await writeCertificate(renewed, 'fourth.test');
      await certificate.refresh();
      assert.notEqual(certificate.context, first);
    } finally {
      await certificate.close();
    }
  });
});

/** The name in the certificate of a server. */
async function certificateOf(port: number): Promise<string> {
  const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false });
  try {
    await until(async () => socket.getPeerCertificate().subject !== undefined, 'there is no certificate');
    return String(socket.getPeerCertificate().subject.CN);
  } finally {
    socket.destroy();
  }
}

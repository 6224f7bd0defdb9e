// Runs alone: it trusts a certificate in this process.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { createServer as createTlsServer, getCACertificates, setDefaultCACertificates } from 'node:tls';
import { promisify } from 'node:util';
import { readFetchAllow } from './fetch-allow.ts';
import { createGuardedSockets, type SocketAddress } from './guarded-socket.ts';

const run = promisify(execFile);
const never = new AbortController().signal;

/** Names below `test` are this machine; `rebound.test` is not on the operator's list. */
const resolve = async (host: string) =>
  host === 'mixed.test' ? ['8.8.8.8', '127.0.0.1'] : host.endsWith('.test') ? ['127.0.0.1'] : [];
const sockets = createGuardedSockets({ allow: readFetchAllow('trusted.test, other.test, 127.0.0.1'), resolve });
const strict = createGuardedSockets({ allow: readFetchAllow('trusted.test'), resolve });

describe('connections to addresses of users', () => {
  let folder: string;
  let plain: Server;
  let encrypted: Server;
  const arrived = new Set<Socket>();
  const trusted = getCACertificates();
  const listen = async (server: Server) => {
    server.on('connection', (socket: Socket) => {
      arrived.add(socket.on('error', () => {}));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  };
  const portOf = (server: Server) => (server.address() as AddressInfo).port;
  const to = (host: string, isEncrypted = false): SocketAddress => {
    return { host, port: portOf(isEncrypted ? encrypted : plain), isEncrypted };
  };

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'reelgraph-sockets-'));
    const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
    const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
    const names = ['-subj', '/CN=trusted.test', '-addext', 'subjectAltName=DNS:trusted.test'];
    await run('openssl', ['req', '-x509', ...kind, ...names, '-keyout', key, '-out', cert]);
    plain = createServer();
    encrypted = createTlsServer({ key: await readFile(key), cert: await readFile(cert) });
    await listen(plain);
    await listen(encrypted);
  });
  after(async () => {
    setDefaultCACertificates(trusted);
    for (const socket of arrived) socket.destroy();
    plain.close();
    encrypted.close();
    await rm(folder, { recursive: true });
  });

  it('go to hosts that the operator allows', async () => {
    const socket = await sockets.connect(to('trusted.test'), never);
    assert.equal(socket.remoteAddress, '127.0.0.1');
    socket.destroy();
  });

  const REFUSED = [
    ['rebound.test', 'rebound.test is not on the public internet.'],
    ['mixed.test', 'mixed.test is not on the public internet.'],
    ['127.0.0.1', '127.0.0.1 is not on the public internet.'],
    ['::1', '::1 is not on the public internet.'],
    ['169.254.169.254', '169.254.169.254 is not on the public internet.'],
    ['10.0.0.1', '10.0.0.1 is not on the public internet.'],
    ['nowhere.example', 'There is no host named nowhere.example.'],
  ] as const;
  for (const [host, message] of REFUSED)
    it(`are not made to ${host}`, async () => {
      const before = arrived.size;
      await assert.rejects(strict.connect(to(host), never), { code: 'INVALID_INPUT', message });
      await assert.rejects(strict.check(to(host), 'input.url'), { code: 'INVALID_INPUT', field: 'input.url', message });
      assert.equal(arrived.size, before);
    });

  it('are encrypted only with a certificate that is trusted, and is for the host', async () => {
    await assert.rejects(sockets.connect(to('trusted.test', true), never), { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' });
    setDefaultCACertificates([...trusted, await readFile(join(folder, 'cert.pem'), 'utf8')]);
    (await sockets.connect(to('trusted.test', true), never)).destroy();
    const otherName = { code: 'ERR_TLS_CERT_ALTNAME_INVALID' };
    await assert.rejects(sockets.connect(to('other.test', true), never), otherName);
    await assert.rejects(sockets.connect(to('127.0.0.1', true), never), otherName);
  });

  it('end when they are given up', async () => {
    const stopped = AbortSignal.abort();
    await assert.rejects(sockets.connect(to('trusted.test'), stopped), { name: 'AbortError' });
    const silent = createServer();
    await listen(silent);
    const stopping = new AbortController();
    const connecting = sockets.connect(
      { ...to('trusted.test'), port: portOf(silent), isEncrypted: true },
      stopping.signal,
    );
    await once(silent, 'connection');
    stopping.abort();
    await assert.rejects(connecting, { name: 'AbortError' });
    silent.close();
  });
});

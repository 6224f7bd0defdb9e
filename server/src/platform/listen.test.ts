import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import { networkInterfaces } from 'node:os';
import { afterEach, describe, it } from 'node:test';
import { type Listening, listenOn } from './listen.ts';

/** Whether this machine has the address ::1. */
const HAS_IPV6 = Object.values(networkInterfaces()).some((addresses) =>
  addresses?.some(({ address }) => address === '::1'),
);

describe('a server that listens on several addresses', () => {
  let server: Server;
  let listening: Listening;
  afterEach(async () => {
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    server.closeAllConnections();
    await Promise.all([closed, listening.closeFurther()]);
  });

  async function start(...hosts: [string, ...string[]]): Promise<(host: string) => Promise<string>> {
    server = createServer((request, response) => response.end(`from ${request.socket.remoteAddress}`));
    listening = await listenOn(server, 0, hosts);
    return async (host) => (await fetch(`http://${host}:${listening.port}`)).text();
  }

  it('responds on each with the same port', { skip: !HAS_IPV6 && 'this machine has no IPv6' }, async () => {
    const read = await start('127.0.0.1', '::1');
    assert.equal(await read('127.0.0.1'), 'from 127.0.0.1');
    assert.equal(await read('[::1]'), 'from ::1');
  });

  it('does not respond on other addresses', async () => {
    const read = await start('127.0.0.1', '::1');
    await assert.rejects(
      read('127.0.0.2'),
      (error: Error) => (error.cause as NodeJS.ErrnoException).code === 'ECONNREFUSED',
    );
  });

  it('skips an additional address that the machine does not have', async () => {
    const read = await start('127.0.0.1', '192.0.2.1');
    assert.equal(await read('127.0.0.1'), 'from 127.0.0.1');
  });

  it('responds on all addresses, including IPv4', async () => {
    const read = await start('::');
    assert.match(await read('127.0.0.1'), /127\.0\.0\.1$/);
    assert.match(await read('127.0.0.2'), /127\.0\.0\./);
  });

  it('does not respond after closing', async () => {
    const read = await start('127.0.0.1', '::1');
    await new Promise<void>((resolve) => server.close(() => resolve()));
    await listening.closeFurther();
    await assert.rejects(read(HAS_IPV6 ? '[::1]' : '127.0.0.1'));
    server = createServer().listen(0);
  });

  it('fails when it cannot listen on the first address', async () => {
    await start('127.0.0.1');
    await assert.rejects(listenOn(createServer(), listening.port, ['127.0.0.1']), { code: 'EADDRINUSE' });
  });
});

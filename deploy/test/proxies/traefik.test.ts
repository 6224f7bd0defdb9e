import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { parse } from 'yaml';
import { DEPLOY } from './examples.ts';

const read = (file: string) => parse(readFileSync(join(DEPLOY, 'proxies/traefik', file), 'utf8'), { strict: true });
const { entryPoints, certificatesResolvers, providers } = read('traefik.yaml');
const { http, tcp } = read('reelgraph.yaml');

/** No program of Traefik takes part: its files are compared with what is written here. */
describe('the example of Traefik', () => {
  it('listens for browsers and encoders', () => {
    const addresses = Object.entries<{ address: string }>(entryPoints).map(([name, { address }]) => [name, address]);
    assert.deepEqual(addresses, [
      ['web', ':80'],
      ['websecure', ':443'],
      ['rtmp', ':1935'],
      ['rtmps', ':1936'],
    ]);
    assert.equal(providers.file.directory, '/etc/traefik/dynamic');
  });

  it('neither ends long uploads nor believes X-Forwarded-For of clients', () => {
    const { transport, forwardedHeaders } = entryPoints.websecure;
    assert.deepEqual(transport.respondingTimeouts, { readTimeout: '0s', writeTimeout: '0s', idleTimeout: '75s' });
    assert.deepEqual(forwardedHeaders, { insecure: false });
  });

  it('passes everything on as it comes', () => {
    assert.deepEqual(Object.keys(http), ['routers', 'services'], 'no middlewares');
    assert.deepEqual(http.services.reelgraph.loadBalancer.servers, [{ url: 'http://127.0.0.1:4000' }]);
    assert.deepEqual(tcp.services.rtmp.loadBalancer.servers, [{ address: '127.0.0.1:11935' }]);
  });

  it('names only what it has', () => {
    for (const { routers, services } of [http, tcp])
      for (const { entryPoints: used, service, tls } of Object.values<Router>(routers)) {
        for (const name of used) assert.ok(name in entryPoints, name);
        assert.ok(service in services, service);
        if (tls) assert.ok(tls.certResolver in certificatesResolvers, tls.certResolver);
      }
  });
});

interface Router {
  readonly entryPoints: readonly string[];
  readonly service: string;
  readonly tls?: { readonly certResolver: string };
}

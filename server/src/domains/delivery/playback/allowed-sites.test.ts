import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { describe, it } from 'node:test';
import { isAllowedSite, siteOf } from './allowed-sites.ts';

describe('allowed sites', () => {
  for (const [hosts, site, allowed] of [
    [['example.com'], 'example.com', true],
    [['Example.COM'], 'example.com', true],
    [['other.com', 'example.com'], 'example.com', true],
    [['example.com'], 'www.example.com', false],
    [['example.com'], 'badexample.com', false],
    [['*.example.com'], 'www.example.com', true],
    [['*.example.com'], 'a.b.example.com', true],
    [['*.example.com'], 'example.com', false],
    [['*.example.com'], 'badexample.com', false],
    [['localhost:3000'], 'localhost:3000', true],
    [['localhost:3000'], 'localhost', false],
    [['example.com'], 'example.com:8443', false],
    [['example.com'], null, false],
    [[], 'example.com', false],
  ] as const) {
    it(`${JSON.stringify(hosts)} ${allowed ? 'contain' : 'do not contain'} ${site}`, () =>
      assert.equal(isAllowedSite(hosts, site), allowed));
  }
});

describe('the site of a request', () => {
  const BASE = 'https://video.test';
  const site = (headers: Record<string, string>, containedIn: string | null = null) =>
    siteOf({ headers: { host: 'video.test', ...headers } } as unknown as IncomingMessage, BASE, containedIn);

  it('is the host of its Origin, or of its Referer', () => {
    assert.equal(site({ origin: 'https://shop.test' }), 'shop.test');
    assert.equal(site({ referer: 'https://shop.test:8443/videos/1' }), 'shop.test:8443');
    assert.equal(site({ origin: 'https://shop.test', referer: 'https://other.test/' }), 'shop.test');
  });

  it('is not known without both', () => {
    assert.equal(site({}), null);
    assert.equal(site({ origin: 'null' }), null);
    assert.equal(site({ referer: 'about:blank' }), null);
    assert.equal(site({}, 'https://shop.test/'), null);
  });

  it('is the page around the embed player, which only the platform itself can name', () => {
    assert.equal(site({ referer: 'https://video.test/embed/1' }, 'https://shop.test/'), 'shop.test');
    assert.equal(site({ referer: 'https://video.test/embed/1' }), null);
    assert.equal(site({ origin: 'https://evil.test' }, 'https://shop.test/'), 'evil.test');
    // A page opened through another address of the same server.
    assert.equal(
      site({ host: '10.0.0.2:4000', referer: 'http://10.0.0.2:4000/embed/1' }, 'http://shop.test/'),
      'shop.test',
    );
  });
});

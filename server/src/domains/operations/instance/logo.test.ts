import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import sharp from 'sharp';
import { InstanceCache } from '../../../platform/instance/instance-cache.ts';
import { composeMail } from '../../../platform/mail/compose-mail.ts';
import { mailHandler } from '../../../platform/mail/mail.ts';
import type { MailMessage } from '../../../platform/mail/mail-transport.ts';
import { tablesChanged } from '../../../testing/tables-changed.ts';
import { until } from '../../../testing/until.ts';
import { serveAssetRoutes } from '../../assets/testing.ts';
import { openTestCatalog, type Person, type TestCatalog } from '../../catalog/testing.ts';
import { operatorOf } from '../testing.ts';

const UPDATE =
  'mutation ($input: UpdateInstanceInput!) { updateInstance(input: $input) { instance { logo ' +
  '{ url width height } } } }';
const LOG = '{ operatorActions(first: 1) { edges { node { kind details } } } }';
const SVG = '<?xml version="1.0"?>\n<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
const TRANSPARENT = { r: 255, g: 0, b: 0, alpha: 0.5 };

const image = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 4, background: TRANSPARENT } });

describe('the logo of the server', () => {
  let api: TestCatalog;
  let anna: Person;
  let operator: Person;
  let cache: InstanceCache;
  let server: { address: string; close(): Promise<void> };
  before(async () => {
    api = await openTestCatalog();
    [anna, operator] = [await api.person('anna'), await operatorOf(api, 'olga')];
    const { db, config, log, test } = api.platform;
    cache = new InstanceCache({ url: test.url, db, config, log });
    await cache.start();
    server = await serveAssetRoutes(api.domains.operations.routes);
  });
  after(async () => {
    await Promise.all([cache.stop(), server.close()]);
    await api.close();
  });

  const set = async (file: Buffer | null) => {
    const logo = file === null ? null : file.toString('base64');
    return (await api.ok(operator, UPDATE, { input: { logo } })).updateInstance.instance.logo;
  };
  const get = (path: string, method = 'GET') => fetch(server.address + path, { redirect: 'manual', method });
  const leadsTo = async (path: string) => {
    const response = await get(path);
    return [response.status, response.headers.get('location')];
  };

  it('is ours, until operators choose one, which is decoded and shown at an address of its own', async () => {
    for (const path of ['/logo/current', '/favicon.ico'])
      assert.deepEqual(await leadsTo(path), [302, '/favicon.svg'], path);
    const { url, ...size } = await set(await image(96, 96).withMetadata().png().toBuffer());
    assert.deepEqual(size, { width: 96, height: 96 });
    assert.match(url, /^http:\/\/reelgraph\.test\/logo\/[0-9a-f]{16}\.png$/);
    const { pathname } = new URL(url);
    await until(async () => cache.current.logo !== null && pathname.includes(cache.current.logo.digest));
    const response = await get(pathname);
    assert.deepEqual(
      ['content-type', 'cache-control', 'content-security-policy'].map((name) => response.headers.get(name)),
      ['image/png', 'public, max-age=31536000, immutable', "default-src 'none'; sandbox"],
    );
    const shown = await sharp(await response.arrayBuffer()).metadata();
    assert.deepEqual([shown.format, shown.width, shown.hasAlpha, shown.exif], ['png', 96, true, undefined]);
    for (const path of ['/logo/current', '/logo/icon']) assert.equal((await get(path)).status, 200);
    assert.equal((await get(pathname, 'HEAD')).headers.get('content-length'), response.headers.get('content-length'));

    const wide = await set(await image(1_500, 300).webp().toBuffer());
    assert.deepEqual([wide.width, wide.height], [960, 192], 'as large as it is shown');
    assert.equal((await get(pathname)).status, 404, 'the one before');
    assert.deepEqual(await leadsTo('/logo/icon'), [302, '/favicon.svg'], 'it is not square');
    const [{ node }] = (await api.ok(operator, LOG)).operatorActions.edges;
    assert.deepEqual(node, { kind: 'SETTINGS_CHANGED', details: 'Logo: 960 by 192 pixels.' });
    assert.equal(await set(null), null);
    for (const path of ['/logo/current', '/favicon.ico'])
      assert.deepEqual(await leadsTo(path), [302, '/favicon.svg'], path);
  });

  it('is above the text of messages', async () => {
    const delivered: MailMessage[] = [];
    const transport = {
      deliver: async (_id: string, message: MailMessage) => void delivered.push(message),
      close() {},
    };
    const message = { to: 'a@example.com', subject: 'Hi', paragraphs: ['Hello <b>.'] };
    const sealed = api.platform.secrets.seal('mail', JSON.stringify(composeMail(message))).toString('base64');
    const { handle } = mailHandler(api.platform, async () => transport);
    const send = () => handle({ id: 'x', sealed, expiresAtMs: null }, {} as never);
    await send();
    const { url } = await set(await image(64, 64).png().toBuffer());
    await send();
    await set(null);
    const [plain, branded] = delivered.map(({ html }) => html);
    assert.doesNotMatch(plain ?? '', /<img/);
    assert.ok(branded?.includes(`<img src="${url}" alt="Reelgraph" height="40"`), branded);
    assert.match(branded ?? '', /<\/p><p>Hello &lt;b&gt;\.<\/p>/);
  });

  it('is a usable image, which only operators choose, and otherwise nothing changes', async () => {
    const png = await image(96, 96).png().toBuffer();
    const noise = await sharp(Buffer.from(Array.from({ length: 480_000 }, (_, at) => (at * 7_919) % 251)), {
      raw: { width: 400, height: 400, channels: 3 },
    })
      .png({ compressionLevel: 0 })
      .toBuffer();
    const calls = [
      [operator, '%%%', /not base64/],
      [operator, Buffer.from(SVG), /SVG is not accepted/],
      [operator, Buffer.from('GIF'), /not an image in a supported format/],
      [operator, png.subarray(0, 80), /damaged or incomplete/],
      [operator, await image(600, 100).png().toBuffer(), /600 by 100 pixels, which does not suit a logo/],
      [operator, await image(16, 16).png().toBuffer(), /16 by 16 pixels, which does not suit a logo/],
      [operator, Buffer.concat([noise, Buffer.alloc(500_001 - noise.length)]), /500001 bytes; the limit is 500000/],
    ] as const;
    const others = [anna, await api.signedIn(anna)];
    const changed = await tablesChanged(api.platform.db, async () => {
      for (const [who, file, why] of calls) {
        const logo = typeof file === 'string' ? file : file.toString('base64');
        const { code, field, message } = await api.refused(who, UPDATE, { input: { logo } });
        assert.deepEqual([code, field], ['INVALID_INPUT', 'input.logo'], message);
        assert.match(message, why);
      }
      for (const who of others) {
        const { code } = await api.refused(who, UPDATE, { input: { logo: png.toString('base64') } });
        assert.equal(code, 'UNAUTHORIZED');
      }
    });
    assert.deepEqual(changed, []);
  });
});

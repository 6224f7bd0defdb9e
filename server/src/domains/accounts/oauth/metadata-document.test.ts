import assert from 'node:assert/strict';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { readFetchAllow } from '../../../platform/fetch/fetch-allow.ts';
import { type MetadataDocuments, openMetadataDocuments } from './metadata-document.ts';

const REDIRECT = 'https://app.example/callback';

let server: Server;
let port: number;
let allowed: MetadataDocuments;
/** Without a host that the operator trusts. */
let strict: MetadataDocuments;
let requests = 0;
let answer: RequestListener;

before(async () => {
  server = createServer((request, response) => {
    requests += 1;
    answer(request, response);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  port = (server.address() as AddressInfo).port;
  allowed = openMetadataDocuments(readFetchAllow(`127.0.0.1:${port}`), 500);
  strict = openMetadataDocuments(readFetchAllow(''), 500);
});
after(async () => {
  await allowed.close();
  await strict.close();
  server.closeAllConnections();
  server.close();
});

const address = () => `http://127.0.0.1:${port}/client.json`;
const sends = (body: object | string, headers: Record<string, string> = {}, status = 200): RequestListener => {
  const text = typeof body === 'string' ? body : JSON.stringify({ client_id: address(), ...body });
  return (_, response) => response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(text);
};
const readDocument = async (listener: RequestListener, clientId = address()) => {
  answer = listener;
  const result = await allowed.read(clientId);
  return 'error' in result ? `${result.error}: ${result.error_description}` : result;
};

describe('a metadata document', () => {
  it('describes a public client, without what a registration may not contain', async () => {
    const document = {
      client_name: 'Nice\u202Eevil\n<b>app</b>',
      client_uri: 'https://app.example',
      redirect_uris: [REDIRECT],
      logo_uri: 'https://169.254.169.254/logo.png',
      jwks_uri: 'https://169.254.169.254/keys',
      scope: 'admin',
      skip_consent: true,
    };
    assert.deepEqual(await readDocument(sends(document)), {
      metadata: {
        redirect_uris: [REDIRECT],
        client_name: 'Nice evil <b>app</b>',
        client_uri: 'https://app.example',
        token_endpoint_auth_method: 'none',
        application_type: 'web',
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
      },
      freshMs: 300_000,
    });
  });

  const lifetimes: readonly [string | undefined, number][] = [
    [undefined, 300_000],
    ['max-age=60', 300_000],
    ['public, max-age=3600', 3_600_000],
    ['max-age=31536000, immutable', 86_400_000],
    ['no-cache, max-age=3600', 300_000],
    ['no-store', 300_000],
    ['max-age=soon', 300_000],
  ];
  for (const [header, freshMs] of lifetimes) {
    it(`is used for ${freshMs / 60_000} minutes with Cache-Control: ${header}`, async () => {
      const headers = header === undefined ? undefined : { 'cache-control': header };
      const result = await readDocument(sends({ redirect_uris: [REDIRECT] }, headers));
      assert.ok(typeof result === 'object');
      assert.equal(result.freshMs, freshMs);
    });
  }

  const refused: readonly [string, () => RequestListener, RegExp][] = [
    ['of another client', () => sends({ client_id: 'https://app.example/client.json' }), /about another client_id/],
    ['with a secret', () => sends({ redirect_uris: [REDIRECT], client_secret: 'x' }), /contains a secret/],
    [
      'with a method that needs a secret',
      () => sends({ redirect_uris: [REDIRECT], token_endpoint_auth_method: 'client_secret_post' }),
      /must have "none" as token_endpoint_auth_method/,
    ],
    [
      'with signed assertions',
      () => sends({ redirect_uris: [REDIRECT], token_endpoint_auth_method: 'private_key_jwt' }),
      /must have "none" as token_endpoint_auth_method/,
    ],
    ['without redirect addresses', () => sends({}), /redirect_uris must list 1 to 10 addresses/],
    ...['https://*.example/callback', 'https://app.example/*', 'https://app.example/%2A', 'app:*'].map(
      (uri): [string, () => RequestListener, RegExp] => [
        `with the wildcard ${uri}`,
        () => sends({ redirect_uris: [REDIRECT, uri] }),
        /without a wildcard/,
      ],
    ),
    ['that is a list', () => sends('[]'), /is not one JSON object/],
    ['that is cut off', () => sends('{"client_id":'), /is not one JSON object/],
    ['of another type', () => sends({}, { 'content-type': 'text/html' }), /is not JSON/],
    ['that is not there', () => sends({}, {}, 404), /has the status 404/],
    [
      'that redirects',
      () => sends({}, { location: `http://127.0.0.1:${port}/other` }, 302),
      /has the status 302.*redirects are not followed/,
    ],
    ['of 17 KiB', () => sends({ redirect_uris: [REDIRECT], text: 'x'.repeat(17_000) }), /cannot be read/],
    ['that never ends', () => (_, response) => void response.writeHead(200).write('{'), /cannot be read.*within 0.5 s/],
    ['that breaks off', () => (_, response) => void response.destroy(), /cannot be read/],
  ];
  for (const [name, listener, reason] of refused) {
    it(`${name} is refused after one request`, async () => {
      requests = 0;
      const result = await readDocument(listener());
      assert.match(String(result), new RegExp(`^invalid_client: The metadata document on 127.0.0.1:${port} `));
      assert.match(String(result), reason);
      assert.equal(requests, 1);
    });
  }
});

describe('the address of a metadata document', () => {
  const invalid = [
    'https://app.example',
    'https://app.example/',
    'https://APP.example/client.json',
    'https://app.example:443/client.json',
    'https://app.example/a/../client.json',
    'https://app.example/%2e%2e/client.json',
    'https://app.example/client.json#part',
    'https://app.example/client.json#',
    'https://user@app.example/client.json',
    'https://user:secret@app.example/client.json',
    'http://app.example/client.json',
    'https:app.example/client.json',
    'https://127.1/client.json',
  ];
  for (const clientId of invalid) {
    it(`is not ${clientId}`, async () => {
      const result = await strict.read(clientId);
      assert.equal('error' in result && result.error, 'invalid_request');
    });
  }

  it('may not lead into a private network, over http or https', async () => {
    requests = 0;
    answer = sends({ redirect_uris: [REDIRECT] });
    for (const host of ['127.0.0.1', 'localhost', '[::1]', '[::ffff:7f00:1]', '169.254.169.254', '10.0.0.1']) {
      const result = await strict.read(`https://${host}:${port}/client.json`);
      assert.match('error' in result ? result.error_description : '', /on the public internet/, host);
    }
    assert.equal('error' in (await strict.read(address())), true);
    assert.equal(requests, 0);
  });
});

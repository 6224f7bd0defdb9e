import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { ConfigError, readConfig } from './config.ts';
import { loadSecrets, secretsFrom, signerOf } from './secret-key.ts';

describe('settings', () => {
  for (const [text, ports] of [
    ['20000-20002', [20_000, 20_001, 20_002]],
    ['20001,20000-20001,3000', [3_000, 20_000, 20_001]],
  ] as const)
    it(`take ${text} as ports of SRT`, () => {
      assert.deepEqual(readConfig({ SRT_PORTS: text }).SRT_PORTS, ports);
    });

  for (const text of ['1000', '65535-65536', '20000-20020', '20001-20000', '20000-', 'many'])
    it(`refuse ${text} as ports of SRT`, () => {
      assert.throws(() => readConfig({ SRT_PORTS: text }), /SRT_PORTS: /);
    });

  it('have working defaults and an address derived from the port', () => {
    const config = readConfig({ PORT: '4321', LOG_LEVEL: '' });
    assert.equal(config.BASE_URL, 'http://localhost:4321');
    assert.equal(config.STORAGE, 'disk');
    assert.equal(config.LOG_LEVEL, 'info');
    assert.equal(config.demo, true);
  });

  it('disable the demo by default with an external database', () => {
    assert.equal(readConfig({ DATABASE_URL: 'postgres://db/x' }).demo, false);
    assert.equal(readConfig({ DATABASE_URL: 'postgres://db/x', DEMO: 'on' }).demo, true);
    assert.equal(readConfig({ DEMO: 'off' }).demo, false);
  });

  for (const [name, env, listenHosts, signUp] of [
    ['nothing', {}, ['127.0.0.1', '::1'], 'open'],
    ['the name localhost', { HOST: 'localhost' }, ['127.0.0.1', '::1'], 'open'],
    ['a loopback BASE_URL', { BASE_URL: 'http://[::1]:4000' }, ['127.0.0.1', '::1'], 'open'],
    ['a name below localhost', { BASE_URL: 'http://video.localhost:4000' }, ['127.0.0.1', '::1'], 'open'],
    ['a public BASE_URL', { BASE_URL: 'https://video.example.com' }, ['::'], 'invite'],
    ['an address of the network', { HOST: '192.168.1.5' }, ['192.168.1.5'], 'invite'],
    ['all addresses', { HOST: '0.0.0.0' }, ['0.0.0.0'], 'invite'],
    ['loopback behind a proxy', { HOST: '127.0.0.1', BASE_URL: 'https://video.example.com' }, ['127.0.0.1'], 'invite'],
    ['a trusted proxy', { TRUST_PROXY: 'on' }, ['127.0.0.1', '::1'], 'invite'],
    ['a name that only begins like loopback', { BASE_URL: 'http://127.0.0.1.example.com' }, ['::'], 'invite'],
    ['SIGN_UP on a public address', { HOST: '0.0.0.0', SIGN_UP: 'open' }, ['0.0.0.0'], 'open'],
    ['SIGN_UP on loopback', { SIGN_UP: 'closed' }, ['127.0.0.1', '::1'], 'closed'],
  ] as const) {
    it(`decide where the server listens and who may sign up, given ${name}`, () => {
      const config = readConfig(env);
      assert.deepEqual([config.listenHosts, config.SIGN_UP], [listenHosts, signUp]);
    });
  }

  it('enable YouTube only with client ID and secret', () => {
    assert.throws(() => readConfig({ YOUTUBE_CLIENT_ID: 'a' }), /YOUTUBE_CLIENT_SECRET: .* go together/);
    assert.throws(() => readConfig({ YOUTUBE_CLIENT_SECRET: 'b' }), /YOUTUBE_CLIENT_ID: .* go together/);
    assert.equal(readConfig({ YOUTUBE_CLIENT_ID: 'a', YOUTUBE_CLIENT_SECRET: 'b' }).YOUTUBE_CLIENT_ID, 'a');
  });

  it('take addresses of a stand-in for YouTube, without a slash at their end', () => {
    assert.equal(readConfig({}).YOUTUBE_API_URL, 'https://www.googleapis.com/youtube/v3');
    const standIn = readConfig({ YOUTUBE_API_URL: 'http://stand-in.test:9000/youtube/v3/' });
    assert.equal(standIn.YOUTUBE_API_URL, 'http://stand-in.test:9000/youtube/v3');
    for (const url of ['youtube', 'ftp://stand-in.test', 'https://stand-in.test/?a=b', 'https://stand-in.test/#a'])
      assert.throws(() => readConfig({ YOUTUBE_UPLOAD_URL: url }), /YOUTUBE_UPLOAD_URL: /, url);
  });

  it('have those of each OpenID Connect provider', () => {
    const { oidcProviders } = readConfig({
      ...{ OIDC_PROVIDERS: 'keycloak, second' },
      ...{ OIDC_KEYCLOAK_ISSUER: 'https://sso.example.com/realms/example', OIDC_KEYCLOAK_CLIENT_ID: 'reelgraph' },
      ...{ OIDC_KEYCLOAK_OPERATOR_GROUPS: '/admins, /owners', OIDC_KEYCLOAK_PLAN_GROUPS: 'a=b=PREMIUM' },
      ...{ OIDC_SECOND_ISSUER: 'http://10.0.0.7/', OIDC_SECOND_CLIENT_ID: 'r', OIDC_SECOND_LABEL: 'Second' },
    });
    assert.deepEqual(
      oidcProviders.map(({ name, LABEL, SCOPES, TRUST_EMAIL }) => [name, LABEL, SCOPES, TRUST_EMAIL]),
      [
        ['keycloak', 'keycloak', 'openid profile email', 'off'],
        ['second', 'Second', 'openid profile email', 'off'],
      ],
    );
    assert.deepEqual(oidcProviders[0]?.OPERATOR_GROUPS, ['/admins', '/owners']);
    assert.deepEqual(oidcProviders[0]?.PLAN_GROUPS, [{ group: 'a=b', plan: 'PREMIUM' }]);
    assert.deepEqual(readConfig({}).oidcProviders, []);
  });

  it('name what is wrong with those of a provider', () => {
    const valid = { OIDC_PROVIDERS: 'sso', OIDC_SSO_ISSUER: 'https://sso.example.com', OIDC_SSO_CLIENT_ID: 'r' };
    for (const [change, problem] of [
      [{ OIDC_SSO_ISSUER: '' }, /OIDC_SSO_ISSUER: required with sso in OIDC_PROVIDERS/],
      [{ OIDC_SSO_CLIENT_ID: '' }, /OIDC_SSO_CLIENT_ID: required/],
      [{ OIDC_SSO_ISSUER: 'sso.example.com' }, /OIDC_SSO_ISSUER: /],
      [{ OIDC_SSO_SCOPES: 'profile email' }, /OIDC_SSO_SCOPES: scopes with openid/],
      [{ OIDC_SSO_PLAN_GROUPS: 'staff=FREE' }, /OIDC_SSO_PLAN_GROUPS: GROUP=PLAN/],
      [{ OIDC_SSO_CLIENT_SECRET_FILE: '/nowhere/secret' }, /OIDC_SSO_CLIENT_SECRET_FILE: there is no file/],
      [{ OIDC_PROVIDERS: 'SSO' }, /OIDC_PROVIDERS: names such as/],
      [{ OIDC_PROVIDERS: 'sso,sso' }, /OIDC_PROVIDERS: each name once/],
    ] as const)
      assert.throws(() => readConfig({ ...valid, ...change }), problem);
  });

  it('report all errors at once', () => {
    const invalid = { PORT: '99999', STORAGE: 's3', BASE_URL: 'nowhere', SECRET_KEY: 'c2hvcnQ=' };
    assert.throws(
      () => readConfig(invalid),
      (error: unknown) =>
        error instanceof ConfigError && ['PORT', 'BASE_URL'].every((name) => error.message.includes(`${name}:`)),
    );
    assert.throws(
      () => readConfig({ STORAGE: 's3', SECRET_KEY: 'c2hvcnQ=' }),
      /S3_BUCKET[\s\S]*S3_ACCESS_KEY_ID[\s\S]*S3_SECRET_ACCESS_KEY[\s\S]*SECRET_KEY: must be 32 bytes/,
    );
    assert.throws(() => readConfig({ RTMPS_CERT_FILE: 'cert.pem' }), /RTMPS_KEY_FILE: .* go together/);
  });
});

describe('secrets', () => {
  it('are kept in a file readable by its owner only, and survive a restart', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'reelgraph-secret-'));
    try {
      const sealed = loadSecrets(readConfig({ DATA_DIR: folder })).seal('api-key-seal', 'rg_example');
      assert.equal(statSync(join(folder, 'secret-key')).mode & 0o777, 0o600);
      assert.equal(loadSecrets(readConfig({ DATA_DIR: folder })).open('api-key-seal', sealed), 'rg_example');
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });

  it('open and recognize what other accepted keys made, and make everything with the first', () => {
    const [old, other] = [secretsFrom(Buffer.alloc(32, 1)), secretsFrom(Buffer.alloc(32, 3))];
    const secrets = secretsFrom(Buffer.alloc(32, 2), [Buffer.alloc(32, 1), Buffer.alloc(32, 2)]);
    assert.deepEqual(
      secrets.accepted.map(({ fingerprint }) => fingerprint),
      [secretsFrom(Buffer.alloc(32, 2)).fingerprint, old.fingerprint],
    );
    assert.equal(secrets.open('mail', old.seal('mail', 'text')), 'text');
    assert.throws(() => old.open('mail', secrets.seal('mail', 'text')));
    assert.throws(() => secrets.open('mail', other.seal('mail', 'text')));
    const signed = (key: typeof old) => key.mac('unsubscribe', 'x').toString('base64url');
    assert.equal(signerOf(secrets, 'unsubscribe', 'x', signed(old))?.fingerprint, old.fingerprint);
    assert.equal(signerOf(secrets, 'unsubscribe', 'x', signed(secrets))?.fingerprint, secrets.fingerprint);
    for (const forged of [signed(other), '', `${signed(old)}=`, signed(old).slice(1)])
      assert.equal(signerOf(secrets, 'unsubscribe', 'x', forged), null, forged);
  });

  it('differ by purpose; a modified sealed value does not open', () => {
    const secrets = secretsFrom(Buffer.alloc(32, 7));
    assert.notDeepEqual(secrets.mac('api-key-lookup', 'x'), secrets.mac('media-address', 'x'));
    const sealed = secrets.seal('api-key-seal', 'text');
    sealed[14] = (sealed[14] ?? 0) ^ 1;
    assert.throws(() => secrets.open('api-key-seal', sealed));
    assert.throws(() => secrets.open('session', secrets.seal('api-key-seal', 'text')));
  });
});

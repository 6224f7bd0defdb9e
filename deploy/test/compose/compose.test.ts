import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { readConfig } from '../../../server/src/platform/config/config.ts';
import { DEPLOY } from '../proxies/examples.ts';
import { findWrongSettings } from '../settings.ts';
import { type ComposeFile, type ComposeService, commandsOf, readComposeFile } from './compose-file.ts';

const IMAGE = `reelgraph:${JSON.parse(readFileSync(join(DEPLOY, '../package.json'), 'utf8')).version}`;
const NAME = 'video.example.com';
/** As in the table of docs/guides/self-hosting.md, and no way to gain rights. */
const FOR_SANDBOX = [
  ...['no-new-privileges:true', 'seccomp=./image/seccomp.json', 'apparmor=unconfined', 'systempaths=unconfined'],
];
const FILES = {
  'compose.yaml': readComposeFile('compose.yaml', { BASE_URL: `https://${NAME}` }),
  'compose.many.yaml': readComposeFile('compose.many.yaml', { HOST_NAME: NAME }),
};
const MANY = FILES['compose.many.yaml'];

for (const [file, compose] of Object.entries(FILES))
  describe(file, () => {
    const services = Object.entries(compose.services);
    const ours = services.filter(([, { image }]) => image === IMAGE);

    it('gives the platform settings that exist, and secrets by files', () => {
      assert.ok(ours.length > 0);
      for (const [, { environment = {} }] of ours) {
        assert.deepEqual(findWrongSettings(Object.keys(environment)), []);
        for (const [name, value] of Object.entries(environment)) assert.equal(typeof value, 'string', name);
      }
    });

    it('mounts each secret that is read', () => {
      for (const [name, { environment = {}, command = [], volumes = [], secrets = [] }] of services) {
        const mounted = volumes.filter((each) => each.startsWith('./')).map((each) => readText(sourceOf(each)));
        const text = [...Object.values(environment), ...command, ...mounted].join('\n');
        const read = new Set(Array.from(text.matchAll(/\/run\/secrets\/(\w+)/g), ([, secret]) => secret));
        assert.deepEqual([...read].sort(), secrets.toSorted(), name);
        for (const secret of secrets) assert.equal(compose.secrets?.[secret]?.file, `./secrets/${secret}`);
      }
    });

    it('declares what its services use, and nothing else', () => {
      const used = (of: (service: ComposeService) => readonly string[] | undefined) =>
        [...new Set(services.flatMap(([, service]) => of(service) ?? []))].sort();
      const named = used(({ volumes }) => volumes?.filter((volume) => /^\w+:/.test(volume)).map(sourceOf));
      assert.deepEqual(named, Object.keys(compose.volumes ?? {}).sort());
      assert.deepEqual(
        used(({ networks }) => networks),
        Object.keys(compose.networks ?? {}).sort(),
      );
      assert.deepEqual(
        used(({ secrets }) => secrets),
        Object.keys(compose.secrets ?? {}).sort(),
      );
      for (const [name, { depends_on = {} }] of services)
        for (const [other, { condition }] of Object.entries(depends_on)) {
          const isChecked = compose.services[other]?.healthcheck !== undefined;
          assert.equal(
            condition,
            isChecked ? 'service_healthy' : 'service_completed_successfully',
            `${name}: ${other}`,
          );
        }
    });

    it('mounts files that exist', () => {
      const files = services.flatMap(([, { volumes = [] }]) => volumes.filter((each) => each.startsWith('./proxies/')));
      for (const each of files) assert.ok(existsSync(join(DEPLOY, sourceOf(each))), each);
    });

    it('lets services do no more than they need', () => {
      for (const [name, service] of services) {
        assert.deepEqual([service.read_only, service.cap_drop], [true, ['ALL']], name);
        assert.ok(
          service.tmpfs.some((each) => each.startsWith('/tmp:')),
          name,
        );
        assert.match(service.restart, /^(unless-stopped|on-failure:5)$/, name);
        assert.match(service.image, /^[\w/]+(-unprivileged)?:\d+\.\d+(\.\d+)?$/, name);
        const isOurs = service.image === IMAGE;
        assert.deepEqual(service.security_opt, isOurs ? FOR_SANDBOX : ['no-new-privileges:true'], name);
        assert.equal(service.cap_add !== undefined, name === 'store', name);
        assert.equal(service.healthcheck === undefined, name === 'bucket', name);
        if (name !== 'bucket') assert.equal(service.stop_grace_period, '1m', name);
      }
    });

    it('publishes the ports of the platform', () => {
      for (const [, service] of ours) {
        const settings = { WHIP_PORTS: '', ...service.environment };
        const udp = (service.ports ?? []).filter((port) => port.endsWith('/udp'));
        assert.deepEqual(udp, settings.WHIP_PORTS ? [`${settings.WHIP_PORTS}:${settings.WHIP_PORTS}/udp`] : []);
        assert.match(service.healthcheck?.test.at(-1) ?? '', /^fetch\('http:\/\/127\.0\.0\.1:4000\/readyz'\)/);
      }
    });
  });

describe('one machine', () => {
  it('publishes HTTP to this machine only', () => {
    const { ports, environment } = serviceOf(FILES['compose.yaml'], 'platform');
    assert.deepEqual(ports?.slice(0, 2), ['127.0.0.1:4000:4000', '1935:1935']);
    assert.equal(readConfig({ ...environment, HOST: '0.0.0.0' }).PORT, 4000);
  });
});

describe('many machines', () => {
  const folder = mkdtempSync(join(tmpdir(), 'reelgraph-compose-'));
  before(() => {
    for (const file of ['fullchain.pem', 'privkey.pem']) writeFileSync(join(folder, file), 'a certificate');
    execFileSync('bash', ['-euc', commandsOf('compose.many.yaml').join('\n')], { cwd: folder });
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  it('read the secrets that its comment makes', () => {
    for (const role of ['api', 'worker', 'live']) {
      const { environment = {}, command } = serviceOf(MANY, role);
      assert.deepEqual(command, ['--role', role]);
      const env = Object.entries(environment).map(([name, value]) => [
        name,
        value.replace(/^\/run\/secrets\//, `${folder}/secrets/`),
      ]);
      const config = readConfig(Object.fromEntries(env));
      assert.equal(config.BASE_URL, `https://${NAME}`);
      assert.equal(config.SANDBOX, 'require');
      const password = readFileSync(join(folder, 'secrets/postgres_password'), 'utf8');
      assert.equal(config.DATABASE_URL, `postgres://reelgraph:${password}@postgres/reelgraph`);
      const { identities } = JSON.parse(readFileSync(join(folder, 'secrets/s3_config'), 'utf8'));
      assert.deepEqual(identities[0].credentials, [
        { accessKey: config.S3_ACCESS_KEY_ID, secretKey: config.S3_SECRET_ACCESS_KEY },
      ]);
    }
  });

  it('let other users of the machine read no secret', () => {
    assert.equal(statSync(join(folder, 'secrets')).mode & 0o777, 0o700);
    for (const secret of Object.keys(MANY.secrets ?? {}))
      assert.equal(statSync(join(folder, 'secrets', secret)).mode & 0o777, 0o444, secret);
  });

  it('reach each other where they listen', () => {
    const { S3_ENDPOINT = '', S3_BUCKET = '' } = serviceOf(MANY, 'api').environment ?? {};
    const endpoint = new URL(S3_ENDPOINT);
    assert.ok(serviceOf(MANY, endpoint.hostname).command?.includes(`-s3.port=${endpoint.port}`));
    const { entrypoint = [] } = serviceOf(MANY, 'bucket');
    assert.match(
      entrypoint.at(-1) ?? '',
      new RegExp(`bucket.create -name ${S3_BUCKET}' .*-master=${endpoint.hostname}:`),
    );
    assert.deepEqual(serviceOf(MANY, 'postgres').environment, {
      POSTGRES_USER: 'reelgraph',
      POSTGRES_DB: 'reelgraph',
      POSTGRES_PASSWORD_FILE: '/run/secrets/postgres_password',
    });
  });

  it('have nginx listen on what is published, and pass on to services', () => {
    const text = readText('proxies/nginx/nginx.many.conf');
    const listened = Array.from(text.matchAll(/^ +listen (\d+)/gm), ([, port]) => `${port}:${port}`);
    assert.deepEqual(listened.sort(), serviceOf(MANY, 'nginx').ports?.toSorted());
    const behind = Array.from(text.matchAll(/(?:http:\/\/| default )(\w+):(\d+);/g), ([, name, port]) => [name, port]);
    assert.deepEqual(behind, [
      ['api', '4000'],
      ['live', '4000'],
      ['live', '1935'],
    ]);
    const networksOf = (name: string) => serviceOf(MANY, name).networks;
    assert.deepEqual(
      [networksOf('nginx'), networksOf('postgres'), networksOf('store')],
      [['outer'], ['inner'], ['inner']],
    );
    for (const role of ['api', 'worker', 'live']) assert.deepEqual(networksOf(role), ['inner', 'outer']);
  });
});

function serviceOf(compose: ComposeFile, name: string): ComposeService {
  return compose.services[name] ?? assert.fail(`there is no service ${name}`);
}

const readText = (file: string): string => readFileSync(join(DEPLOY, file), 'utf8');

const sourceOf = (volume: string): string => volume.split(':')[0] ?? '';

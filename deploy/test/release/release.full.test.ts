import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { makeClip } from '../../../e2e/support/clips.ts';
import { callApi } from '../../../e2e/support/steps.ts';
import { freePort } from '../../../server/src/platform/config/free-port.ts';
import { until } from '../../../server/src/testing/until.ts';
import { Containers, runRelease } from './containers.ts';

const ROOT = join(import.meta.dirname, '../../..');
const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
const IMAGE = `localhost/reelgraph:${version}`;
const BASE = 'localhost/debian:bookworm-slim';
/** Debian 12 with ffmpeg from its packages would take 800 MB; only the libraries that are needed are in the image. */
const MOST_BYTES = 720e6;
const STOP_LIMIT_SECONDS = 10;
const TEST_MS = 3_000_000;
/** How deploy/compose.yaml runs the platform. */
const HARDENED = ['--read-only', '--tmpfs', '/tmp', '--cap-drop', 'all', '--security-opt', 'no-new-privileges'];
/** What the complete sandbox needs: docs/security.md. */
const SANDBOXED = [
  '--security-opt',
  `seccomp=${join(ROOT, 'deploy/image/seccomp.json')}`,
  '--security-opt',
  'unmask=ALL',
];
const DEVELOPMENT = ['gcc', 'cc', 'make', 'python3', 'npm', 'tsc', 'vite', 'git'];

const CREATE =
  'mutation ($input: PublishVideoInput!) { publishVideo(input: $input) { content { id } upload { endpoint } } }';
const WAIT = 'mutation ($input: WaitForProcessingInput!) { waitForProcessing(input: $input) { status error } }';
const CONTENT = 'query ($id: DID!) { content(id: $id) { metadata { title } outputAssets { video { hls } } } }';

describe('a release', { timeout: TEST_MS }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'reelgraph-release-'));
  const output = join(folder, 'release');
  const containers = new Containers(join(folder, 'containers'));
  before(() => {
    containers.buildBase(BASE);
    runRelease(ROOT, containers, '--draft', '--processor', 'x64', '--image', '--base', BASE, '--output', output);
  });
  after(() => {
    containers.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('consists of archive, package, clients, licenses, notes and checksums', () => {
    const expected = [
      ...['LICENSE', 'NOTES.md', 'SHA256SUMS', 'THIRD-PARTY-LICENSES', 'schema.graphql'],
      ...['.cdx.json', '.tar.gz'].map((end) => `reelgraph-${version}-linux-x64${end}`),
      `reelgraph_${version}_amd64.deb`,
      ...['cli', 'client', 'mp4', 'player', 'sandbox'].map((name) => `reelgraph-${name}-${version}.tgz`),
    ];
    const files = readdirSync(output);
    assert.deepEqual(
      expected.filter((name) => !files.includes(name)),
      [],
    );
    assert.equal(files.filter((name) => name.endsWith('.whl')).length, 1);
    execFileSync('sha256sum', ['--check', '--strict', '--quiet', 'SHA256SUMS'], { cwd: output });
    assert.equal(readFileSync(join(output, 'SHA256SUMS'), 'utf8').trim().split('\n').length, files.length - 1);
    assert.match(readFileSync(join(output, 'THIRD-PARTY-LICENSES'), 'utf8'), /^hls\.js [\d.]+ \(Apache-2\.0\)$/m);
  });

  describe('its image', () => {
    it('is small, runs as a user without privileges, and contains no tools of developers', () => {
      const { Config, Healthcheck, Size } = containers.describe(IMAGE) as {
        Size: number;
        Config: { User: string; Labels: Record<string, string>; Volumes: object };
        Healthcheck?: unknown;
      };
      assert.ok(Size < MOST_BYTES, `${Math.round(Size / 1e6)} MB`);
      assert.equal(Config.User, '1000:1000');
      assert.equal(Config.Labels['org.opencontainers.image.version'], version);
      assert.match(Config.Labels['org.opencontainers.image.revision'] ?? '', /^[0-9a-f]{40}$/);
      assert.deepEqual(Object.keys(Config.Volumes), ['/data']);
      assert.ok(Healthcheck, 'there is a health check');
      containers.start('look', IMAGE, { options: ['--entrypoint', 'sleep'], command: ['infinity'] });
      const look = (command: string) => containers.exec('look', 'sh', '-c', command);
      assert.equal(look(`for name in ${DEVELOPMENT.join(' ')}; do command -v $name || true; done`), '');
      assert.equal(look("cd /opt/reelgraph && find server packages -name '*.test.*' -o -name testing"), '');
      assert.equal(look('cd /opt/reelgraph/node_modules && ls -d typescript vite @biomejs 2> /dev/null || true'), '');
      assert.match(look('ffmpeg -version'), /^ffmpeg version 5\.1\./);
      assert.match(look('ls /var/lib/dpkg/status.d /usr/share/doc/ffmpeg'), /\nffmpeg\n[\s\S]*copyright/);
      containers.remove('look');
    });

    it('takes a video as user 1000 from a root that is read-only, and has it after a restart', async () => {
      const data = dataFolder('first', 1000);
      const port = await freePort();
      start('first', port, data, [...HARDENED, ...SANDBOXED]);
      await untilHealthy('first', port);
      const ready = (await (await fetch(`http://localhost:${port}/readyz`)).json()) as { status: string };
      assert.match(containers.logs('first'), /"method":"bubblewrap".*"media sandbox complete"/);
      assert.equal(ready.status, 'ready', JSON.stringify(ready));
      const account = ['--email', 'owner@example.com', '--username', 'owner', '--plan', 'CREATOR_PLUS', '--api-key'];
      const { apiKey } = JSON.parse(containers.exec('first', 'reelgraph-admin', 'create-account', ...account));
      const id = await publish(port, apiKey);
      const zombies = "grep -l '^State:.Z' /proc/[0-9]*/status || true";
      assert.equal(containers.exec('first', 'sh', '-c', zombies), '');
      containers.exec('first', 'reelgraph-health');

      const { code, seconds } = containers.stop('first', 60);
      assert.equal(code, 0);
      assert.ok(seconds < STOP_LIMIT_SECONDS, `${seconds} s`);
      start('again', port, data, [...HARDENED, ...SANDBOXED]);
      await untilHealthy('again', port);
      await assertPlays(port, apiKey, id);
      containers.stop('again', 60);
    });

    it('is refused while another container uses the same volume', async () => {
      const data = dataFolder('shared', 1000);
      const port = await freePort();
      start('owner', port, data, HARDENED);
      await untilHealthy('owner', port);
      start('second', await freePort(), data, HARDENED);
      await until(() => containers.status('second') !== null, 'the second container goes on');
      assert.equal(containers.status('second'), 1);
      assert.match(containers.logs('second'), /Another Reelgraph \(in another container\) is using \/data: stop it/);
      containers.remove('second');
      assert.equal((await fetch(`http://localhost:${port}/healthz`)).status, 200);
      containers.stop('owner', 60);
    });

    it('runs as a user that has no name, with the sandbox that a default profile allows', async () => {
      const data = dataFolder('unnamed', 54_321);
      const port = await freePort();
      start('unnamed', port, data, HARDENED, '54321:54321');
      await untilHealthy('unnamed', port);
      assert.match(containers.logs('unnamed'), /"method":"partial".*MEDIA SANDBOX INCOMPLETE/);
      containers.stop('unnamed', 60);
    });
  });

  it('is installed, upgraded and removed as a package of Debian', async () => {
    const port = await freePort();
    containers.start('debian', BASE, { volumes: { '/release': output }, command: ['sleep', 'infinity'] });
    const sh = (command: string) => containers.exec('debian', 'sh', '-c', command);
    sh('apt-get -qq update');
    const install = `DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends`;
    const file = `/release/reelgraph_${version}_amd64.deb`;
    sh(`${install} ${file}`);
    assert.equal(
      sh("stat -c '%U:%G %a' /etc/reelgraph/reelgraph.env /var/lib/reelgraph").trim(),
      ['root:reelgraph 640', 'reelgraph:reelgraph 711'].join('\n'),
    );
    const settings = `DATA_DIR=/var/lib/reelgraph PORT=${port} RTMP_PORT=0 RTMPS_PORT=0 DEMO=off`;
    const asUser = 'setpriv --reuid reelgraph --regid reelgraph --init-groups';
    const run = `${asUser} env ${settings} /opt/reelgraph/bin/reelgraph-server`;
    sh(`cd / && (setsid ${run} > /tmp/log 2>&1 & echo $! > /tmp/pid)`);
    await until(
      async () => isHealthy(port),
      () => sh('cat /tmp/log'),
    );
    assert.match(sh('cd /root && reelgraph-admin create-account --email a@example.com --username anna'), /"password"/);
    assert.match(sh('reelgraph-admin list-accounts'), /"anna"/);
    sh('kill $(cat /tmp/pid); while [ -e /proc/$(cat /tmp/pid) ]; do sleep 0.1; done');

    sh("echo 'LOG_LEVEL=debug' >> /etc/reelgraph/reelgraph.env");
    sh(`${install} --reinstall ${file}`);
    assert.match(sh('tail -n 1 /etc/reelgraph/reelgraph.env'), /^LOG_LEVEL=debug$/m);
    sh('apt-get -qq remove -y reelgraph');
    assert.equal(sh('ls /opt; ls /etc/reelgraph'), 'reelgraph.env\n');
    assert.match(sh('apt-get -qq purge -y reelgraph'), /Videos and database stay in \/var\/lib\/reelgraph/);
    assert.equal(
      sh('ls -d /etc/reelgraph /var/lib/reelgraph/postgres 2>/dev/null || true'),
      '/var/lib/reelgraph/postgres\n',
    );
    containers.remove('debian');
  });

  function dataFolder(name: string, user: number): string {
    const path = join(folder, name);
    mkdirSync(path);
    chownSync(path, user, user);
    chmodSync(folder, 0o711);
    return path;
  }

  function start(name: string, port: number, data: string, options: readonly string[], user = '1000:1000'): void {
    const environment = { PORT: String(port), RTMP_PORT: '0', RTMPS_PORT: '0', BASE_URL: `http://localhost:${port}` };
    containers.start(name, IMAGE, { user, options, environment, volumes: { '/data': data } });
  }

  async function untilHealthy(name: string, port: number): Promise<void> {
    await until(
      async () => {
        if (containers.status(name) !== null) throw new Error(`${name} ended:\n${containers.logs(name)}`);
        return isHealthy(port);
      },
      () => containers.logs(name),
    );
  }

  /** Uploads a clip; returns its content once it plays. */
  async function publish(port: number, key: string): Promise<string> {
    const file = readFileSync(makeClip(folder, 'clip.mp4', 4, '320x180'));
    const base = `http://localhost:${port}`;
    const input = { title: 'In a container', filename: 'clip.mp4', size: file.length, publish: true };
    const { publishVideo } = await callApi<{
      publishVideo: { content: { id: string }; upload: { endpoint: string } };
    }>(base, key, CREATE, { input });
    const { id } = publishVideo.content;
    assert.ok((await fetch(publishVideo.upload.endpoint, { method: 'PUT', body: file })).ok);
    const { waitForProcessing } = await callApi<{ waitForProcessing: { status: string; error: string | null } }>(
      base,
      key,
      WAIT,
      { input: { contentId: id, timeoutSeconds: 300 } },
    );
    assert.equal(waitForProcessing.status, 'COMPLETE', JSON.stringify(waitForProcessing));
    await assertPlays(port, key, id);
    return id;
  }

  /** Reads the video to its first segment. */
  async function assertPlays(port: number, key: string, id: string): Promise<void> {
    const { content } = await callApi<{
      content: { metadata: { title: string }; outputAssets: { video: { hls: string } } };
    }>(`http://localhost:${port}`, key, CONTENT, { id });
    assert.equal(content.metadata.title, 'In a container');
    let address = content.outputAssets.video.hls;
    for (let depth = 0; !/\.(?:m4s|mp4|ts)(?:\?|$)/.test(address); depth++) {
      assert.ok(depth < 3, address);
      const lines = (await (await fetch(address)).text()).split('\n');
      address = new URL(lines.find((line) => line !== '' && !line.startsWith('#')) ?? '', address).href;
    }
    const segment = await fetch(address);
    assert.equal(segment.status, 200);
    assert.ok((await segment.arrayBuffer()).byteLength > 1_000);
  }
});

async function isHealthy(port: number): Promise<boolean> {
  const response = await fetch(`http://localhost:${port}/healthz`).catch(() => null);
  return response?.ok ?? false;
}

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CertificateFiles } from '../../../server/src/domains/live/encoders/certificate.ts';
import { until } from '../../../server/src/testing/until.ts';
import { adapted } from './examples.ts';

/** Where a proxy listens, and what is behind it: ports of 127.0.0.1. */
export interface ProxyPorts {
  readonly https: number;
  readonly http: number;
  readonly rtmps: number;
  /** Of RTMP through the proxy. */
  readonly rtmpIn: number;
  /** Of the platform. */
  readonly platform: number;
  readonly rtmp: number;
}

export interface ProxyExample {
  readonly name: string;
  /** Whether it keeps pieces of videos, and says so in X-Cache-Status. */
  readonly caches: boolean;
  /** Whether it passes on RTMP, and RTMPS decrypted. */
  readonly passesRtmp: boolean;
  /** Writes its configuration into a folder of the test, and returns the command that starts it. */
  prepare(folder: string, ports: ProxyPorts, certificate: CertificateFiles): readonly [string, ...string[]];
}

const NGINX_PLACES = (folder: string, ports: ProxyPorts) =>
  [
    ['server_name video.example.com', 'server_name localhost'],
    ['listen 80;', `listen 127.0.0.1:${ports.http};`],
    ['listen 443 ssl', `listen 127.0.0.1:${ports.https} ssl`],
    ['listen 1935;', `listen 127.0.0.1:${ports.rtmpIn};`],
    ['listen 1936 ssl;', `listen 127.0.0.1:${ports.rtmps} ssl;`],
    ['/etc/nginx/reelgraph.conf', join(folder, 'reelgraph.conf')],
  ] as const;

/** Part of the image of nginx; a module of its own in Debian. */
const STREAMS = 'include /etc/nginx/modules-enabled/*-mod-stream.conf;';

/** Without IPv6, which a machine of tests may lack. */
const ONLY_IPV4 = [
  ['  listen [::]:80;\n', ''],
  ['  listen [::]:443 ssl http2;\n', ''],
  ['    listen [::]:1935;\n', ''],
  ['    listen [::]:1936 ssl;\n', ''],
] as const;

function nginx(
  name: string,
  file: string,
  further: (folder: string, ports: ProxyPorts, certificate: CertificateFiles) => [string, string][],
) {
  return {
    name,
    caches: true,
    passesRtmp: true,
    prepare(folder: string, ports: ProxyPorts, certificate: CertificateFiles) {
      const places = [...further(folder, ports, certificate), ...NGINX_PLACES(folder, ports)];
      writeFileSync(join(folder, 'reelgraph.conf'), adapted('proxies/nginx/reelgraph.conf', []));
      writeFileSync(join(folder, 'nginx.conf'), adapted(file, places));
      const start = `daemon off; ${file.endsWith('many.conf') ? STREAMS : ''}`;
      return ['nginx', '-e', join(folder, 'error.log'), '-g', start, '-c', join(folder, 'nginx.conf')] as const;
    },
  } satisfies ProxyExample;
}

/** The examples that Debian 12 has a program for. */
export const PROXIES: readonly ProxyExample[] = [
  nginx('nginx', 'proxies/nginx/nginx.conf', (folder, { platform, rtmp }, { certFile, keyFile }) => [
    ['/etc/ssl/video.example.com/fullchain.pem', certFile],
    ['/etc/ssl/video.example.com/privkey.pem', keyFile],
    ...ONLY_IPV4.map(([text, replacement]): [string, string] => [text, replacement]),
    ['user www-data;', 'user root;'], // the folder of the test is root's
    ['/var/cache/nginx-media', join(folder, 'cache')],
    ['/run/nginx.pid', join(folder, 'nginx.pid')],
    ['/var/log/nginx/error.log', join(folder, 'error.log')],
    ['127.0.0.1:4000', `127.0.0.1:${platform}`],
    ['127.0.0.1:11935', `127.0.0.1:${rtmp}`],
  ]),
  nginx(
    'nginx in front of many',
    'proxies/nginx/nginx.many.conf',
    (folder, { platform, rtmp }, { certFile, keyFile }) => [
      ['/run/secrets/tls_certificate', certFile],
      ['/run/secrets/tls_key', keyFile],
      ['worker_processes auto;', 'user root;\nworker_processes auto;'],
      ['/var/cache/nginx/media', join(folder, 'cache')],
      ['/tmp/nginx', join(folder, 'nginx')],
      ['error_log stderr', `error_log ${join(folder, 'error.log')}`],
      ['api:4000', `127.0.0.1:${platform}`],
      ['live:1935', `127.0.0.1:${rtmp}`],
    ],
  ),
  {
    name: 'Caddy',
    caches: false,
    passesRtmp: false,
    prepare(folder, { https, platform }, { certFile, keyFile }) {
      const site = `https://localhost:${https} {\n\tbind 127.0.0.1\n\ttls ${certFile} ${keyFile}\n`;
      const text = adapted('proxies/Caddyfile', [
        ['\nvideo.example.com {\n', `\n${site}`],
        ['\tadmin off\n', '\tadmin off\n\tauto_https disable_redirects\n'],
        ['127.0.0.1:4000', `127.0.0.1:${platform}`],
      ]);
      writeFileSync(join(folder, 'Caddyfile'), text);
      return ['caddy', 'run', '--adapter', 'caddyfile', '--config', join(folder, 'Caddyfile')];
    },
  },
];

/** An example that runs, in a folder of its own. */
export class RunningProxy {
  readonly #child: ChildProcess;
  readonly #folder: string;
  #output = '';

  private constructor(child: ChildProcess, folder: string) {
    this.#child = child;
    this.#folder = folder;
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (chunk: Buffer) => {
        this.#output += chunk.toString();
      });
  }

  /** Resolves once it accepts connections. Throws with its output when it ends instead. */
  static async start(example: ProxyExample, ports: ProxyPorts, certificate: CertificateFiles): Promise<RunningProxy> {
    const folder = mkdtempSync(join(tmpdir(), 'reelgraph-proxy-'));
    const [program, ...args] = example.prepare(folder, ports, certificate);
    const env = { ...process.env, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder };
    const proxy = new RunningProxy(spawn(program, args, { env, stdio: ['ignore', 'pipe', 'pipe'] }), folder);
    try {
      await until(
        () => proxy.#accepts(ports.https),
        () => `${example.name} does not listen: ${proxy.#output}`,
      );
    } catch (error) {
      await proxy.stop();
      throw error;
    }
    return proxy;
  }

  async stop(): Promise<void> {
    if (this.#child.exitCode === null && this.#child.signalCode === null && this.#child.kill('SIGTERM'))
      await once(this.#child, 'exit');
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #accepts(port: number): Promise<boolean> {
    if (this.#child.exitCode !== null) throw new Error(`The proxy ended with ${this.#child.exitCode}: ${this.#output}`);
    return new Promise((answer) => {
      const socket = connect(port, '127.0.0.1', () => {
        socket.destroy();
        answer(true);
      });
      socket.once('error', () => answer(false));
    });
  }
}

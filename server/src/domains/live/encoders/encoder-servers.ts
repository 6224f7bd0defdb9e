import type { SecureContext } from 'node:tls';
import type { Runner } from '../../../media/index.ts';
import { hostInUrl, hostOf } from '../../../platform/config/listen-hosts.ts';
import type { Platform } from '../../../platform/platform.ts';
import type { LiveBroadcasts } from '../ingest/live-broadcasts.ts';
import { Certificate } from './certificate.ts';
import { RtmpServer } from './rtmp-server.ts';
import { SrtServer } from './srt-server.ts';
import { WhipServer } from './whip/whip-server.ts';

/** Of RTMP. */
const DEFAULT_PORT = 1_935;

type Tools = Pick<Platform, 'clock' | 'config' | 'db' | 'log' | 'secrets'>;

/** The servers to which encoders connect, and their public addresses. */
export class EncoderServers {
  readonly #tools: Tools;
  readonly #broadcasts: LiveBroadcasts;
  readonly #servers: RtmpServer[] = [];
  readonly #hosts: readonly [string, ...string[]];
  readonly srt: SrtServer;
  readonly whip: WhipServer;
  #certificate: Certificate | null = null;
  #rtmpPort: number | null = null;
  #rtmpsPort: number | null = null;

  constructor(tools: Tools, broadcasts: LiveBroadcasts, runner: Pick<Runner, 'startProgram'>) {
    [this.#tools, this.#broadcasts] = [tools, broadcasts];
    const [first = '127.0.0.1', ...others] = tools.config.listenHosts;
    this.#hosts = [first, ...others];
    const options = { platform: tools, broadcasts, runner, host: first };
    [this.srt, this.whip] = [new SrtServer(options), new WhipServer(options)];
  }

  /** Null while this process does not receive RTMP. */
  get rtmpAddress(): string | null {
    const { RTMP_URL } = this.#tools.config;
    return RTMP_URL ?? (this.#rtmpPort === null ? null : `rtmp://${this.#host}:${this.#rtmpPort}/live`);
  }

  /** Null while this process does not receive RTMPS. */
  get rtmpsAddress(): string | null {
    const { RTMPS_URL } = this.#tools.config;
    return RTMPS_URL ?? (this.#rtmpsPort === null ? null : `rtmps://${this.#host}:${this.#rtmpsPort}/live`);
  }

  /** @throws Error when a port is taken, or the certificate cannot be read. */
  async listen(): Promise<void> {
    const { RTMP_PORT, RTMPS_PORT, RTMPS_CERT_FILE, RTMPS_KEY_FILE } = this.#tools.config;
    if (RTMP_PORT !== 'off') this.#rtmpPort = await this.#listenOn(RTMP_PORT);
    this.srt.start();
    this.whip.start();
    if (RTMPS_CERT_FILE === undefined || RTMPS_KEY_FILE === undefined) return;
    const { log } = this.#tools;
    const certificate = await Certificate.open({ certFile: RTMPS_CERT_FILE, keyFile: RTMPS_KEY_FILE }, log);
    this.#certificate = certificate;
    this.#rtmpsPort = await this.#serve(() => certificate.context).listen(RTMPS_PORT, this.#hosts);
  }

  async close(): Promise<void> {
    const servers = [this.srt, this.whip, ...this.#servers];
    await Promise.all([this.#certificate?.close(), ...servers.map((server) => server.close())]);
  }

  async #listenOn(port: number | undefined): Promise<number> {
    const server = this.#serve();
    return server.listen(port ?? DEFAULT_PORT, this.#hosts).catch((error: unknown) => {
      if (port !== undefined || !isInUse(error)) throw error;
      const message = 'another program has the port of RTMP; a free one is used, see RTMP_PORT';
      this.#tools.log.warn({ port: DEFAULT_PORT }, message);
      return server.listen(0, this.#hosts);
    });
  }

  #serve(secureContext?: () => SecureContext): RtmpServer {
    const secured = secureContext ? { secureContext } : {};
    const server = new RtmpServer({ platform: this.#tools, broadcasts: this.#broadcasts, ...secured });
    this.#servers.push(server);
    return server;
  }

  get #host(): string {
    return hostInUrl(hostOf(this.#tools.config.BASE_URL));
  }
}

function isInUse(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
}

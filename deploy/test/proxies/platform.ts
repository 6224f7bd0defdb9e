import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeClip } from '../../../e2e/support/clips.ts';
import { type Instance, startInstance, untilStarted } from '../../../e2e/support/instances.ts';
import { callApi, untilProcessed } from '../../../e2e/support/steps.ts';
import { createTestAccount } from '../../../server/src/domains/accounts/testing.ts';
import { writeCertificate } from '../../../server/src/domains/live/encoders/certificate.fixture.ts';
import type { CertificateFiles } from '../../../server/src/domains/live/encoders/certificate.ts';
import { ManualClock } from '../../../server/src/platform/clock.ts';
import { freePort } from '../../../server/src/platform/config/free-port.ts';
import { secretsFrom } from '../../../server/src/platform/config/secret-key.ts';
import { createTestDatabase, type TestDatabase } from '../../../server/src/platform/db/testing.ts';
import type { ProxyPorts } from './running-proxy.ts';
import { TestClient } from './tls-client.ts';

const PUBLISH =
  'mutation ($input: PublishVideoInput!) { publishVideo(input: $input) { content { id } upload { endpoint } } }';
const ADDRESSES = 'query ($id: DID!) { content(id: $id) { outputAssets { video { hls download } } } }';

/** A published video: its id, and paths of one of its segments and of its download. */
export interface PublishedVideo {
  readonly id: string;
  readonly segment: string;
  readonly download: string;
}

/** The whole platform as it is behind a proxy of this machine, with one account. */
export class ProxiedPlatform {
  readonly folder: string;
  readonly ports: ProxyPorts;
  readonly certificate: CertificateFiles;
  /** Its environment. */
  readonly settings: Readonly<Record<string, string>>;
  /** A client without a proxy. */
  readonly direct: TestClient;
  readonly #database: TestDatabase;
  readonly #instance: Instance;
  #key = '';

  private constructor(folder: string, ports: ProxyPorts, certificate: CertificateFiles, database: TestDatabase) {
    const secret = randomBytes(32);
    this.folder = folder;
    this.ports = ports;
    this.certificate = certificate;
    this.#database = database;
    this.settings = {
      BASE_URL: `https://localhost:${ports.https}`,
      HOST: '127.0.0.1',
      PORT: String(ports.platform),
      TRUST_PROXY: 'on',
      RTMP_PORT: String(ports.rtmp),
      DATABASE_URL: database.url,
      DATA_DIR: join(folder, 'data'),
      SECRET_KEY: secret.toString('base64'),
      SANDBOX: 'prefer',
    };
    this.direct = new TestClient(ports.platform, null);
    this.#instance = startInstance('all', this.settings);
  }

  static async start(): Promise<ProxiedPlatform> {
    const folder = mkdtempSync(join(tmpdir(), 'reelgraph-proxies-'));
    const certificate = { certFile: join(folder, 'cert.pem'), keyFile: join(folder, 'key.pem') };
    await writeCertificate(certificate, 'localhost');
    const [https, http, rtmps, rtmpIn, platform, rtmp] = await sixPorts();
    const ports = { https, http, rtmps, rtmpIn, platform, rtmp };
    const started = new ProxiedPlatform(folder, ports, certificate, await createTestDatabase());
    await untilStarted(started.#instance);
    const secrets = secretsFrom(Buffer.from(started.settings.SECRET_KEY ?? '', 'base64'));
    const needs = { db: started.#database.db, clock: new ManualClock(Date.now()), secrets };
    started.#key = (await createTestAccount(needs, 'owner')).apiKey ?? '';
    return started;
  }

  async stop(): Promise<void> {
    await this.#instance.end();
    await this.#database.close();
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** Headers of the account. */
  get authorization(): Readonly<Record<string, string>> {
    return { authorization: `Bearer ${this.#key}`, 'content-type': 'application/json' };
  }

  /** Calls the API without a proxy. */
  call<Data>(query: string, variables: object): Promise<Data> {
    return callApi<Data>(`http://127.0.0.1:${this.ports.platform}`, this.#key, query, variables);
  }

  /** Opens an upload of a video; returns the path to which its bytes are sent. */
  async openUpload(input: object): Promise<{ id: string; path: string }> {
    const { publishVideo } = await this.call<Publication>(PUBLISH, { input: { filename: 'video.mp4', ...input } });
    return { id: publishVideo.content.id, path: new URL(publishVideo.upload.endpoint).pathname };
  }

  /** Publishes a clip, and waits until it is processed. */
  async publish(visibility: 'PUBLIC' | 'PRIVATE'): Promise<PublishedVideo> {
    const clip = readFileSync(makeClip(this.folder, 'clip.mp4', 4));
    const { id, path } = await this.openUpload({ title: `A ${visibility} video`, size: clip.length, visibility });
    const sent = await this.direct.ask(path, { method: 'PATCH', headers: tusHeaders(0, clip.length), body: clip });
    if (sent.status !== 204) throw new Error(`The clip was refused: ${sent.status} ${sent.body}`);
    await untilProcessed(`http://127.0.0.1:${this.ports.platform}`, this.#key, id, 120);
    const { content } = await this.call<Addresses>(ADDRESSES, { id });
    const { hls, download } = content.outputAssets.video;
    return { id, segment: await this.#segmentOf(new URL(hls)), download: new URL(download).pathname };
  }

  /** What the access log says of the request with this id; null while it says nothing. */
  logged(requestId: string): { readonly client: string; readonly status: number } | null {
    const line = this.#instance
      .output()
      .split('\n')
      .find((each) => each.includes(`"requestId":"${requestId}"`) && each.includes('"msg":"request"'));
    return line === undefined ? null : JSON.parse(line);
  }

  /** Bytes of all files that it has stored. */
  storedBytes(): number {
    const root = this.settings.DATA_DIR ?? '';
    if (!existsSync(root)) return 0;
    return readdirSync(root, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .reduce((sum, entry) => {
        return sum + (statSync(join(entry.parentPath, entry.name), { throwIfNoEntry: false })?.size ?? 0);
      }, 0);
  }

  async #segmentOf(hls: URL): Promise<string> {
    const linesOf = async (url: URL) =>
      (await this.direct.ask(url.pathname)).body
        .toString()
        .split('\n')
        .filter((line) => line && !line.startsWith('#'));
    const playlist = new URL((await linesOf(hls))[0] ?? '', hls);
    return new URL((await linesOf(playlist))[0] ?? '', playlist).pathname;
  }
}

/** Headers of a `PATCH` with so many bytes from `offset`. */
export function tusHeaders(offset: number, length: number): Record<string, string> {
  return {
    'tus-resumable': '1.0.0',
    'upload-offset': String(offset),
    'content-type': 'application/offset+octet-stream',
    'content-length': String(length),
  };
}

async function sixPorts(): Promise<[number, number, number, number, number, number]> {
  const port = () => freePort();
  return [await port(), await port(), await port(), await port(), await port(), await port()];
}

interface Publication {
  readonly publishVideo: { readonly content: { readonly id: string }; readonly upload: { readonly endpoint: string } };
}

interface Addresses {
  readonly content: {
    readonly outputAssets: { readonly video: { readonly hls: string; readonly download: string } };
  };
}

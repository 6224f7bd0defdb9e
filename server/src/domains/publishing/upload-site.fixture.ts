import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { GOOGLE_ADDRESSES, type SiteAddresses } from './site-addresses.ts';

/** An upload as the site keeps it. */
export interface SiteUpload {
  readonly id: string;
  readonly resource: { snippet: { title: string; description: string; tags: string[] }; status: { privacyStatus: string } };
  readonly sizeBytes: number;
  bytes: Buffer;
  videoId: string | null;
  /** Content-Range of every request that carried bytes. */
  readonly parts: string[];
}

/** What the site keeps of a part that breaks off: the protocol promises whole pieces of so many bytes only. */
const PIECE_BYTES = 256 * 1024;

/** The part of the external site that takes videos, over a real socket: its protocol, and the faults tests ask for. */
export class UploadSite {
  readonly uploads: SiteUpload[] = [];
  /** What `videos.list` says of each video; `processed` unless a test says otherwise. Null: it was deleted. */
  readonly states = new Map<string, object | null>();
  /** The only token that is accepted. */
  token = 'token-1';
  /** Answers the next requests by hand instead: true when it did. */
  intercept: ((request: IncomingMessage, response: ServerResponse, site: UploadSite) => boolean | Promise<boolean>) | null = null;
  readonly #server: Server;
  address = '';

  constructor() {
    this.#server = createServer((request, response) => {
      this.#answer(request, response).catch(() => response.destroy());
    });
  }

  get addresses(): SiteAddresses {
    return uploadSiteAddresses(this.address);
  }

  async open(): Promise<this> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    this.address = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`; // a TCP server has one
    return this;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((done) => this.#server.close(done));
  }

  /** Forgets an upload, as the site does after some days. */
  forget(upload: SiteUpload): void {
    this.uploads.splice(this.uploads.indexOf(upload), 1);
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (this.intercept && (await this.intercept(request, response, this))) return;
    const url = new URL(request.url ?? '/', this.address);
    if (request.headers.authorization !== `Bearer ${this.token}`) return refuse(response, 401, 'authError');
    if (request.method === 'GET' && url.pathname === '/youtube/v3/videos') return this.#list(url, response);
    if (url.pathname !== '/upload/youtube/v3/videos') return refuse(response, 404, 'notFound');
    if (request.method === 'POST') return this.#begin(request, response);
    const upload = this.uploads.find(({ id }) => id === url.searchParams.get('upload_id'));
    if (!upload) return refuse(response, 404, 'notFound');
    return this.#take(upload, request, response);
  }

  async #begin(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const resource = JSON.parse(await text(request)) as SiteUpload['resource']; // what our own adapter writes
    const id = randomBytes(8).toString('hex');
    const sizeBytes = Number(request.headers['x-upload-content-length']);
    this.uploads.push({ id, resource, sizeBytes, bytes: Buffer.alloc(0), videoId: null, parts: [] });
    response.writeHead(200, { location: `${this.address}/upload/youtube/v3/videos?uploadType=resumable&upload_id=${id}` }).end();
  }

  async #take(upload: SiteUpload, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const range = request.headers['content-range'] ?? '';
    const [, start] = /^bytes (\d+)-\d+\/\d+$/.exec(range) ?? [];
    if (start !== undefined) {
      upload.parts.push(range);
      if (Number(start) > upload.bytes.length) return refuse(response, 400, 'badRange');
      await this.receive(upload, request, Number(start));
    } else request.resume();
    if (upload.bytes.length === upload.sizeBytes) {
      upload.videoId ??= createHash('sha256').update(upload.id).digest('base64url').slice(0, 11);
      return void response.writeHead(201, { 'content-type': 'application/json' }).end(JSON.stringify({ id: upload.videoId }));
    }
    const has = upload.bytes.length === 0 ? {} : { range: `bytes=0-${upload.bytes.length - 1}` };
    response.writeHead(308, has).end();
  }

  /** Keeps what arrives; of a part that breaks off, its whole pieces. */
  async receive(upload: SiteUpload, request: IncomingMessage, start: number): Promise<void> {
    const chunks: Buffer[] = [upload.bytes.subarray(0, start)];
    const keep = (whole: boolean): void => {
      const all = Buffer.concat(chunks);
      upload.bytes = whole ? all : all.subarray(0, Math.floor(all.length / PIECE_BYTES) * PIECE_BYTES);
    };
    try {
      for await (const chunk of request) chunks.push(chunk);
      keep(true);
    } catch (error) {
      keep(false);
      throw error;
    }
  }

  #list(url: URL, response: ServerResponse): void {
    const id = url.searchParams.get('id') ?? '';
    const known = this.uploads.some(({ videoId }) => videoId === id);
    const state = this.states.has(id) ? this.states.get(id) : { status: { uploadStatus: 'processed' } };
    const items = known && state ? [{ kind: 'youtube#video', id, ...state }] : [];
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ kind: 'youtube#videoListResponse', items }));
  }
}

/** Where a server at this address takes what the site takes. */
export function uploadSiteAddresses(address: string): SiteAddresses {
  return { ...GOOGLE_ADDRESSES, api: `${address}/youtube/v3`, upload: `${address}/upload/youtube/v3` };
}

/** An error as the site words it. */
export function refuse(response: ServerResponse, status: number, reason: string): void {
  const body = { error: { code: status, message: reason, errors: [{ domain: 'youtube', reason, message: reason }] } };
  response.writeHead(status, { 'content-type': 'application/json', connection: 'close' }).end(JSON.stringify(body));
}

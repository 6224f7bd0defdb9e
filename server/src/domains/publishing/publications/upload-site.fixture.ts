import { createHash, randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { type FakeGoogle, type FakeResponse, refused } from '../fake-google.fixture.ts';
import { UPLOAD_SCOPE } from '../site/site-addresses.ts';

/** An upload on the site. */
export interface FakeUpload {
  readonly id: string;
  readonly resource: {
    snippet: { title: string; description: string; tags: string[] };
    status: { privacyStatus: string };
  };
  readonly sizeBytes: number;
  bytes: Buffer;
  videoId: string | null;
  /** Content-Range of every request that carried bytes. */
  readonly parts: string[];
}

/** The site keeps an interrupted part in whole multiples of this size, as in the protocol. */
const PIECE_BYTES = 256 * 1024;

/**
 * The upload endpoint of the fake site, with the resumable upload protocol. A finished upload is a video of the
 * channel.
 */
export class FakeUploads {
  readonly uploads: FakeUpload[] = [];
  /** Overrides responses; returns true when it did. */
  intercept: ((request: IncomingMessage, response: ServerResponse) => boolean | Promise<boolean>) | null = null;
  readonly #google: FakeGoogle;

  constructor(google: FakeGoogle) {
    this.#google = google;
    google.takers.push((request, response) => this.#take(request, response));
  }

  /** Deletes an upload, as the site does after some days. */
  forget(upload: FakeUpload): void {
    this.uploads.splice(this.uploads.indexOf(upload), 1);
  }

  /** Stores received bytes; of an interrupted part, whole multiples. */
  async receive(upload: FakeUpload, request: IncomingMessage, start: number): Promise<void> {
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

  async #take(request: IncomingMessage, response: ServerResponse): Promise<boolean> {
    if (this.intercept && (await this.intercept(request, response))) return true;
    const url = new URL(request.url ?? '/', this.#google.addresses.upload);
    if (url.pathname !== new URL(`${this.#google.addresses.upload}/videos`).pathname) return false;
    const refusal = this.#google.refusal(request, UPLOAD_SCOPE);
    if (refusal) request.resume();
    result(response, refusal ?? (await this.#answer(request, url)));
    return true;
  }

  async #answer(request: IncomingMessage, url: URL): Promise<FakeResponse> {
    if (request.method === 'POST') return this.#begin(request);
    const upload = this.uploads.find(({ id }) => id === url.searchParams.get('upload_id'));
    if (upload) return this.#continue(upload, request);
    request.resume();
    return refused(404, 'notFound', 'Not Found');
  }

  async #begin(request: IncomingMessage): Promise<FakeResponse> {
    const resource = JSON.parse(await text(request)) as FakeUpload['resource']; // written by our adapter
    const id = randomBytes(8).toString('hex');
    const sizeBytes = Number(request.headers['x-upload-content-length']);
    this.uploads.push({ id, resource, sizeBytes, bytes: Buffer.alloc(0), videoId: null, parts: [] });
    return {
      status: 200,
      headers: { location: `${this.#google.addresses.upload}/videos?uploadType=resumable&upload_id=${id}` },
    };
  }

  async #continue(upload: FakeUpload, request: IncomingMessage): Promise<FakeResponse> {
    const range = request.headers['content-range'] ?? '';
    const [, start] = /^bytes (\d+)-\d+\/\d+$/.exec(range) ?? [];
    if (start !== undefined) {
      upload.parts.push(range);
      if (Number(start) > upload.bytes.length) return refused(400, 'badRange', 'A part is missing.');
      await this.receive(upload, request, Number(start));
    } else request.resume();
    if (upload.bytes.length === upload.sizeBytes) return { status: 201, body: { id: this.#finish(upload) } };
    return {
      status: 308,
      ...(upload.bytes.length > 0 && { headers: { range: `bytes=0-${upload.bytes.length - 1}` } }),
    };
  }

  #finish(upload: FakeUpload): string {
    if (upload.videoId !== null) return upload.videoId;
    const id = createHash('sha256').update(upload.id).digest('base64url').slice(0, 11);
    upload.videoId = id;
    const { snippet, status } = upload.resource;
    // One of the three, written by our adapter.
    this.#google.videos.unshift({ id, title: snippet.title, privacyStatus: status.privacyStatus as 'private' });
    return id;
  }
}

/** Overrides a response. */
export function result(response: ServerResponse, { status, headers, body }: FakeResponse): void {
  response
    .writeHead(status, { 'content-type': 'application/json', ...headers })
    .end(body === undefined ? '' : JSON.stringify(body));
}

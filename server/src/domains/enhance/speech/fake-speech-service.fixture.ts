import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** A request to the service, as it came. */
export interface SpeechRequest {
  readonly path: string;
  readonly authorization: string | undefined;
  /** Of the form, in their order. */
  readonly fields: readonly (readonly [name: string, value: string])[];
  readonly file: Buffer;
}

type Answer = (response: ServerResponse, request: SpeechRequest) => void;

/** A local service with the documented `POST /v1/audio/transcriptions` of OpenAI. Tests set what it answers. */
export class FakeSpeechService {
  readonly requests: SpeechRequest[] = [];
  /** Requests whose connections were closed before they were answered. */
  abandoned = 0;
  answer: Answer = json({ task: 'transcribe', language: 'english', duration: 1, text: '', segments: [], words: [] });
  readonly #server = createServer((request, response) => void this.#serve(request, response));

  static async start(): Promise<FakeSpeechService> {
    const service = new FakeSpeechService();
    await new Promise<void>((done) => service.#server.listen(0, '127.0.0.1', done));
    return service;
  }

  /** Its address, as operators set it. */
  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/v1`; // a TCP server has one
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise<void>((done) => this.#server.close(() => done()));
  }

  async #serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    response.on('close', () => {
      if (!response.writableEnded) this.abandoned += 1;
    });
    const headers = { 'content-type': incoming.headers['content-type'] ?? '' };
    const form = await new Response(new Uint8Array(await buffer(incoming)), { headers }).formData();
    const file = form.get('file');
    const request: SpeechRequest = {
      path: `${incoming.method} ${incoming.url}`,
      authorization: incoming.headers.authorization,
      fields: [...form].flatMap(([name, value]) => (typeof value === 'string' ? [[name, value] as const] : [])),
      file: file instanceof Blob ? Buffer.from(await file.arrayBuffer()) : Buffer.alloc(0),
    };
    this.requests.push(request);
    this.answer(response, request);
  }
}

/** Answers with a JSON object. */
export function json(body: object, status = 200, headers: Readonly<Record<string, string>> = {}): Answer {
  return (response) =>
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}

/** Answers with words of half a second each, from the beginning. */
export function said(text: string, language = 'english'): Answer {
  const words = text
    .replace(/[.,!?]/g, '')
    .split(' ')
    .map((word, index) => ({ word, start: index / 2, end: (index + 1) / 2 }));
  const segments = [{ id: 0, seek: 0, start: 0, end: words.length / 2, text: ` ${text}` }];
  return json({ task: 'transcribe', language, duration: words.length / 2, text, segments, words });
}

/** Answers with more bytes than anybody reads, as fast as they are taken. */
export function flood(bytes: number): Answer {
  return (response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    const chunk = Buffer.alloc(65_536, ' ');
    let left = bytes;
    const more = () => {
      while (left > 0 && !response.destroyed) {
        left -= chunk.length;
        if (!response.write(chunk)) return;
      }
      response.end();
    };
    response.on('drain', more);
    more();
  };
}

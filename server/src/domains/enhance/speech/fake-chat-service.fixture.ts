import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A request to the service, as it came. */
interface ChatRequest {
  readonly path: string;
  readonly authorization: string | undefined;
  readonly body: {
    readonly model: string;
    readonly messages: readonly { readonly role: string; readonly content: string }[];
    readonly response_format: { readonly type: string; readonly json_schema: { readonly name: string } };
  };
  /** The JSON of the last message. */
  readonly input: {
    readonly cues: readonly string[];
    readonly before: readonly string[];
    readonly after: readonly string[];
  };
}

type ChatAnswer = (request: ChatRequest, response: ServerResponse) => void;

/** A local service with the documented `POST /v1/chat/completions` of OpenAI. Tests set what it answers. */
export class FakeChatService {
  readonly requests: ChatRequest[] = [];
  /** Requests whose connections were closed before they were answered. */
  abandoned = 0;
  answer: ChatAnswer = translated((cue) => `[${cue}]`);
  readonly #server = createServer((request, response) => void this.#serve(request, response));

  static async start(): Promise<FakeChatService> {
    const service = new FakeChatService();
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
    const body = JSON.parse(await text(incoming)) as ChatRequest['body'];
    const request: ChatRequest = {
      path: `${incoming.method} ${incoming.url}`,
      authorization: incoming.headers.authorization,
      body,
      input: JSON.parse(body.messages.at(-1)?.content ?? '{}') as ChatRequest['input'],
    };
    this.requests.push(request);
    this.answer(request, response);
  }
}

/** Answers with a message. */
export function message(content: string | null): ChatAnswer {
  return (_, response) =>
    void response.writeHead(200, { 'content-type': 'application/json' }).end(
      JSON.stringify({
        ...{ id: 'chatcmpl-1', object: 'chat.completion', created: 1, model: 'test' },
        choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
      }),
    );
}

/** Answers with each cue changed in the same way. */
export function translated(change: (cue: string) => string): ChatAnswer {
  return (request, response) =>
    message(JSON.stringify({ translations: request.input.cues.map(change) }))(request, response);
}

import type { Terminal } from './terminal.ts';

/** A `fetch` that keeps the last response of the platform as it was sent, or prints it as it comes. */
export class RawResponse {
  readonly #out: Terminal;
  #last: Uint8Array<ArrayBuffer> | null = null;
  #printed: Promise<void> = Promise.resolve();

  constructor(out: Terminal) {
    this.#out = out;
  }

  readonly fetch: typeof globalThis.fetch = async (input, init) => {
    const response = await fetch(input, init);
    if (response.body === null) return response;
    if (response.headers.get('content-type')?.startsWith('text/event-stream')) {
      const [shown, read] = response.body.tee();
      this.#printed = this.#print(shown);
      return new Response(read, response);
    }
    this.#last = new Uint8Array(await response.arrayBuffer());
    return new Response(this.#last, response);
  };

  /** Prints the last response. */
  async end(): Promise<void> {
    await this.#printed;
    if (this.#last) this.#out.write(this.#last);
    if (this.#out.isInteractive) this.#out.line();
  }

  async #print(stream: ReadableStream<Uint8Array>): Promise<void> {
    try {
      for await (const part of stream) this.#out.write(part);
    } catch {
      // The client reads the same stream, and reconnects or reports.
    }
  }
}

/** A message of a stream of server-sent events. */
export interface StreamMessage {
  /** Cursor to resume after this message; null when the message has none. */
  readonly id: string | null;
  readonly event: string;
  readonly data: string;
}

/** Parses server-sent events from chunks of text. */
export class MessageReader {
  #rest = '';

  /** The messages completed by this chunk. Keep-alive comments are skipped. */
  read(chunk: string): StreamMessage[] {
    const blocks = (this.#rest + chunk).replaceAll('\r\n', '\n').split('\n\n');
    this.#rest = blocks.pop() ?? '';
    return blocks.map(messageOf).filter((message) => message !== null);
  }
}

function messageOf(block: string): StreamMessage | null {
  const lines = block.split('\n').filter((line) => !line.startsWith(':'));
  const valuesOf = (field: string): string[] =>
    lines.filter((line) => line.startsWith(`${field}:`)).map((line) => line.slice(field.length + 1).replace(/^ /, ''));
  const [event] = valuesOf('event');
  return event === undefined ? null : { id: valuesOf('id')[0] ?? null, event, data: valuesOf('data').join('\n') };
}

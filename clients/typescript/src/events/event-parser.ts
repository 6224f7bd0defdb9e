/** One message of a stream of server-sent events. */
export interface StreamEvent {
  readonly event: string;
  readonly data: string;
  /** The id to resume after; null without one. */
  readonly id: string | null;
}

/**
 * Parses server-sent events (HTML, "Parsing an event stream"): lines end with CR, LF or both, a message ends with an
 * empty line, lines that start with a colon are comments.
 */
export class EventParser {
  #rest = '';
  #event = '';
  #data: string[] = [];
  #id: string | null = null;

  /** The messages that this chunk completes. */
  push(chunk: string): StreamEvent[] {
    const text = this.#rest + chunk;
    // A CR at the very end may be half of a CRLF.
    const usable = text.endsWith('\r') ? text.slice(0, -1) : text;
    const lines = usable.split(/\r\n|\r|\n/);
    const last = lines.pop() ?? '';
    this.#rest = last + text.slice(usable.length);
    return lines.flatMap((line) => this.#line(line));
  }

  #line(line: string): StreamEvent[] {
    if (line === '') return this.#dispatch();
    const colon = line.indexOf(':');
    if (colon === 0) return [];
    const name = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (name === 'event') this.#event = value;
    else if (name === 'data') this.#data.push(value);
    else if (name === 'id' && !value.includes('\0')) this.#id = value;
    return [];
  }

  #dispatch(): StreamEvent[] {
    const message = { event: this.#event || 'message', data: this.#data.join('\n'), id: this.#id };
    const isEmpty = this.#data.length === 0 && this.#event === '';
    [this.#event, this.#data, this.#id] = ['', [], null];
    return isEmpty ? [] : [message];
  }
}

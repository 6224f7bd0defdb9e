import assert from 'node:assert/strict';

const HEADERS = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

/** The parts of a protocol message that tests use. */
export interface Message {
  readonly id?: string | number;
  readonly method?: string;
  readonly params?: { readonly message?: string; readonly requestId?: string; readonly requestedSchema?: object };
  readonly result?: { readonly isError?: boolean; readonly content?: readonly { readonly text: string }[] };
}

/** A low-level client of 2025-06-18 with elicitation, so that tests can misuse it. */
export class RawSession {
  readonly address: string;
  readonly key: string;
  readonly id: string;

  private constructor(address: string, key: string, id: string) {
    this.address = address;
    this.key = key;
    this.id = id;
  }

  static async begin(address: string, key: string): Promise<RawSession> {
    const session = new RawSession(address, key, '');
    const response = await session.post({
      jsonrpc: '2.0',
      id: 0,
      method: 'initialize',
      params: {
        protocolVersion: '2025-06-18',
        capabilities: { elicitation: {} },
        clientInfo: { name: 'raw', version: '1' },
      },
    });
    assert.equal(response.status, 200, await response.text());
    return new RawSession(address, key, response.headers.get('mcp-session-id') ?? assert.fail('a session is begun'));
  }

  /** Sends a message in the session, or with other credentials. */
  post(
    message: object,
    {
      address = this.address,
      key = this.key,
      id = this.id,
      signal,
    }: Partial<RawSession> & { signal?: AbortSignal } = {},
  ) {
    const headers = { ...HEADERS, authorization: `Bearer ${key}`, ...(id === '' ? {} : { 'mcp-session-id': id }) };
    return fetch(address, { method: 'POST', headers, body: JSON.stringify(message), ...(signal ? { signal } : {}) });
  }

  /** Calls a tool up to the question. */
  async call(name: string, args: object, options: { id?: number; signal?: AbortSignal } = {}): Promise<ElicitedCall> {
    const { id = 1, signal } = options;
    const response = await this.post(
      { jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: args } },
      signal ? { signal } : {},
    );
    const messages = messagesOf(response);
    const { value: question } = await messages.next();
    assert.equal(question?.method, 'elicitation/create');
    return { question, messages };
  }

  /** The user's answer to a question. */
  answer({ id }: Message, result: object, as: Partial<RawSession> = {}): Promise<Response> {
    return this.post({ jsonrpc: '2.0', id, result }, as);
  }
}

/** A call that waits for an answer. */
export interface ElicitedCall {
  readonly question: Message;
  /** The messages after the question. */
  readonly messages: AsyncGenerator<Message, undefined>;
}

async function* messagesOf({ body }: Response): AsyncGenerator<Message, undefined> {
  let text = '';
  for await (const chunk of body ?? []) {
    text += Buffer.from(chunk).toString('utf8');
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      const data = /^data: (.*)$/m.exec(text.slice(0, end))?.[1];
      text = text.slice(end + 2);
      if (data) yield JSON.parse(data) as Message;
    }
  }
}

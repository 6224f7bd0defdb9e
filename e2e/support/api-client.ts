import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/** A response of any endpoint. */
export interface ApiResponse {
  readonly status: number;
  readonly headers: Headers;
  /** Parsed if JSON, otherwise the text. */
  readonly body: unknown;
}

/** Code and optional field of an expected error: 'INVALID_INPUT input.title'. */
export type Refusal = string;

interface RenderedError {
  readonly message: string;
  readonly code: string;
  readonly errorType: string;
  readonly field?: string;
  readonly suggestedFix: string;
  readonly documentation: string;
}

/** A client of a running platform over HTTP, which checks the form of all errors. */
export class ApiClient {
  readonly baseUrl: string;
  readonly key: string;
  /** Documentation addresses in errors. */
  readonly pages = new Set<string>();

  constructor(baseUrl: string, key: string) {
    this.baseUrl = baseUrl;
    this.key = key;
  }

  async send(path: string, init: RequestInit & { readonly duplex?: 'half' } = {}): Promise<ApiResponse> {
    const response = await fetch(new URL(path, this.baseUrl), { redirect: 'manual', ...init });
    const text = await response.text();
    const isJson = /json/.test(response.headers.get('content-type') ?? '');
    return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text };
  }

  /** One GraphQL request with the client's key, or another one; '' sends none. */
  graphql(
    query: string,
    variables: object = {},
    key = this.key,
    headers: Record<string, string> = {},
  ): Promise<ApiResponse> {
    const authorization: Record<string, string> = key === '' ? {} : { authorization: `Bearer ${key}` };
    return this.send('/graphql', {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...authorization, ...headers },
      body: JSON.stringify({ query, variables }),
    });
  }

  /** The data of a request that must succeed. */
  // biome-ignore lint/suspicious/noExplicitAny: the shape is the document's, which stands beside each use.
  async data(query: string, variables: object = {}): Promise<any> {
    const { body } = await this.graphql(query, variables);
    assert.ok(typeof body === 'object' && body !== null && 'data' in body && !('errors' in body), JSON.stringify(body));
    return body.data;
  }

  /** Asserts that a response is exactly this error, in the common form, and returns its message. */
  refused(response: ApiResponse, expected: Refusal): string {
    const found = errorsOf(response.body);
    const [first] = found;
    assert.ok(first, `not refused: ${response.status} ${JSON.stringify(response.body).slice(0, 500)}`);
    assert.equal([first.code, first.field].filter(Boolean).join(' '), expected, first.message);
    for (const error of found) {
      assert.ok(error.message.length > 10, error.message);
      assert.match(error.errorType, /^[A-Z][A-Za-z]+Error$/);
      assert.ok(error.suggestedFix.length > 15, error.suggestedFix);
      assert.equal(error.documentation, `${this.baseUrl}/docs/errors/${error.code.toLowerCase()}`);
      assert.notEqual(error.code, 'INTERNAL_SERVER_ERROR');
      this.pages.add(error.documentation);
    }
    return first.message;
  }
}

/** GraphQL keeps the five fields in `extensions`, every other endpoint beside the message. */
function errorsOf(body: unknown): RenderedError[] {
  if (typeof body !== 'object' || body === null || !('errors' in body) || !Array.isArray(body.errors)) return [];
  return body.errors.map(({ message, extensions, ...rest }) => ({ message, ...(extensions ?? rest) }));
}

/** All user files of the platform: objects, open uploads, working files. */
export function storedFiles(dataDir: string): string[] {
  const found = readdirSync(dataDir, { recursive: true, withFileTypes: true });
  const files = found
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(dataDir.length + 1));
  return files.filter((file) => /^(objects|tmp)\//.test(file)).sort();
}

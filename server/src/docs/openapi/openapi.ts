/** The part of OpenAPI 3.1 that is used. */
export interface OpenApi {
  readonly openapi: '3.1.1';
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly servers: readonly { readonly url: string }[];
  /** For operations without their own: none. */
  readonly security: readonly [];
  readonly paths: Paths;
  /** Requests sent by the platform. */
  readonly webhooks: Readonly<Record<string, PathItem>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly securitySchemes: Readonly<Record<string, object>>;
  };
}

export type Method = 'get' | 'head' | 'post' | 'put' | 'patch' | 'delete' | 'options';
export type PathItem = Partial<Readonly<Record<Method, Described>>>;
export type Paths = Readonly<Record<string, PathItem>>;

/** JSON Schema 2020-12. */
export type Schema = Readonly<Record<string, unknown>>;

/** One request and its responses. */
export interface Described {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly required: boolean; readonly content: Content };
  /** By status; `4XX` covers all errors. */
  readonly responses: Readonly<Record<string, Response>>;
  /** Absent if the address authorizes, and for public endpoints. */
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
}

interface Response {
  readonly description: string;
  readonly headers?: Readonly<Record<string, { readonly description: string; readonly schema: Schema }>>;
  readonly content?: Content;
}

type Content = Readonly<Record<string, { readonly schema: Schema }>>;

interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'header' | 'query';
  readonly required: boolean;
  readonly description: string;
  readonly schema: Schema;
}

/** An API key, or an application's access token. */
export const KEY = [{ apiKey: [] }, { application: ['mcp:tools'] }] as const;
export const TEXT: Schema = { type: 'string' };
export const COUNT: Schema = { type: 'integer', minimum: 0 };

/** An error response of endpoints outside GraphQL. */
export const REFUSED: Response = {
  description: 'Refused: `code` is the reason, and the page in `documentation` explains the fix.',
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Failure' } } },
};

/** An error response to HEAD. */
export const REFUSED_WITHOUT_BODY: Response = { description: 'Refused: GET tells why.' };

export function json(description: string, schema: Schema): Response {
  return { description, content: { 'application/json': { schema } } };
}

export function object(
  properties: Readonly<Record<string, Schema>>,
  required: readonly string[] = Object.keys(properties),
): Schema {
  return { type: 'object', properties, required };
}

export function headerParameter(name: string, description: string, schema: Schema = TEXT, required = true): Parameter {
  return { name, in: 'header', required, description, schema };
}

export function queryParameter(name: string, description: string, required: boolean, schema: Schema = TEXT): Parameter {
  return { name, in: 'query', required, description, schema };
}

export function pathParameter(name: string, description: string): Parameter {
  return { name, in: 'path', required: true, description, schema: TEXT };
}

/** Headers of a response, with descriptions. */
export function responseHeaders(headers: Readonly<Record<string, string>>): NonNullable<Response['headers']> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, description]) => [name, { description, schema: TEXT }]),
  );
}

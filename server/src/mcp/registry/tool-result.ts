import type { CallToolResult } from '@modelcontextprotocol/server';
import type { RenderedError } from '../../gql/errors/render-errors.ts';
import type { GraphqlResult } from '../../gql/requests.ts';
import { AppError, errorExtensions } from '../../kernel/errors.ts';
import { resultShape, withoutNulls } from './result-shape.ts';
import { resultText } from './result-text.ts';

type Data = Record<string, unknown>;

/** A GraphQL response as a tool result: data as JSON and as text; errors with code, cause and fix. */
export function toolResult({ body }: GraphqlResult, afterwards: string | null = null): CallToolResult {
  const errors = body.errors ?? [];
  if (errors.length > 0) return failedResult(errors, body.data);
  // Without errors there are data (GraphQL specification, "Response format").
  const data = resultShape(body.data ?? {}) as Data;
  const text = [resultText(unwrapped(data)), ...(afterwards === null ? [] : [afterwards])].join('\n');
  return { content: [{ type: 'text', text: text === '' ? 'Nothing was found.' : text }], structuredContent: data };
}

/** The result of a tool's own operation, matching its output schema: null fields are omitted, as in the text. */
export function operationResult(result: GraphqlResult, afterwards: string | null): CallToolResult {
  const response = toolResult(result, afterwards);
  return response.isError
    ? response
    : { ...response, structuredContent: withoutNulls(response.structuredContent) as Data };
}

/** A single root field is the whole result. */
function unwrapped(data: Data): unknown {
  const values = Object.values(data);
  return values.length === 1 ? values[0] : data;
}

/**
 * A tool error: the model reads the cause and can retry. What other root fields returned is there, too, so that nothing
 * is done twice.
 */
export function failedResult(errors: readonly RenderedError[], data?: unknown): CallToolResult {
  const reported = errors.map(({ message, path, extensions }) => ({
    ...extensions,
    message,
    ...(path ? { path } : {}),
  }));
  const roots = Object.entries((data ?? {}) as Data); // of a GraphQL response
  const succeeded = Object.fromEntries(roots.filter(([, value]) => value !== null));
  const isPartial = Object.keys(succeeded).length > 0;
  const text = [
    ...reported.map((error) => errorText(error, roots.length > 1)),
    ...(isPartial ? ['What succeeded:', resultText(resultShape(succeeded))] : []),
  ].join('\n');
  return {
    isError: true,
    content: [{ type: 'text', text }],
    structuredContent: { errors: reported, ...(isPartial ? { data } : {}) },
  };
}

/** The result for an argument that breaks a rule: `limit` `is a whole number from 1 to 50`. */
export function refusal(field: string, rule: string, baseUrl: string): CallToolResult {
  return refusedWith(new AppError('INVALID_INPUT', `The argument ${field} ${rule}.`, { field }), baseUrl);
}

/** The result for a call that is refused before it runs. */
export function refusedWith(error: AppError, baseUrl: string): CallToolResult {
  return failedResult([{ message: error.message, extensions: { ...errorExtensions(error, baseUrl, 'en') } }]);
}

interface ReportedError {
  readonly message: string;
  readonly path?: readonly (string | number)[];
  readonly code?: unknown;
  readonly field?: unknown;
  readonly suggestedFix?: unknown;
  readonly documentation?: unknown;
}

function errorText(error: ReportedError, isOneOfSeveral: boolean): string {
  const { code, message, path, field, suggestedFix, documentation } = error;
  return [
    `${String(code ?? 'INTERNAL_SERVER_ERROR')}: ${message}`,
    ...(path && isOneOfSeveral ? [`At: ${path.join('.')}`] : []),
    ...(field ? [`Field: ${String(field)}`] : []),
    ...(suggestedFix ? [`Fix: ${String(suggestedFix)}`] : []),
    ...(documentation ? [`More: ${String(documentation)}`] : []),
  ].join('\n');
}

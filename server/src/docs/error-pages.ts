import { AppError, ERROR_CATALOGUE, type ErrorCode, type ErrorEntry, errorExtensions } from '../kernel/errors.ts';
import type { DocPage } from './doc-page.ts';

const INDEX = '/docs/errors';
// Object.keys loses the literal type; the table is the source.
const CODES = Object.keys(ERROR_CATALOGUE) as ErrorCode[];

/** The pages of `documentation` addresses, generated from the catalogue: one for each code, and an index. */
export function errorPages(baseUrl: string): DocPage[] {
  return [
    { path: INDEX, section: 'Reference', markdown: indexOf(baseUrl) },
    ...CODES.map((code): DocPage => ({ path: pathOf(code), section: 'Errors', markdown: pageOf(code, baseUrl) })),
  ];
}

/** The data of an error page, for programs; null for other pages. */
export function errorData(path: string, baseUrl: string): object | null {
  if (path === INDEX) return { codes: CODES.map((code) => describe(code, baseUrl)) };
  const code = CODES.find((each) => pathOf(each) === path);
  return code ? describe(code, baseUrl) : null;
}

function pathOf(code: string): string {
  return `${INDEX}/${code.toLowerCase()}`;
}

function describe(code: ErrorCode, baseUrl: string): object {
  const { errorType, httpStatus, message, suggestedFix, retryable, explanation, related } = ERROR_CATALOGUE[code];
  const documentation = `${baseUrl}${pathOf(code)}`;
  return { code, errorType, httpStatus, message, explanation, suggestedFix, retryable, related, documentation };
}

function pageOf(code: ErrorCode, baseUrl: string): string {
  const entry: ErrorEntry = ERROR_CATALOGUE[code];
  const error = new AppError(code, undefined, entry.errorType === 'ValidationError' ? { field: 'input.title' } : {});
  const extensions = errorExtensions(error, baseUrl, 'en');
  const graphql = isWholeRequest(entry)
    ? { errors: [{ message: error.message, path: ['updateContent'], extensions }] }
    : { data: { updateContent: null }, errors: [{ message: error.message, path: ['updateContent'], extensions }] };
  const rest = { errors: [{ message: error.message, ...extensions }], requestId: 'fJ2kq0XyZb3A.7f' };
  return `# \`${code}\`

${entry.message}

| type | HTTP status | retryable |
|---|---|---|
| ${entry.errorType} | ${entry.httpStatus} | ${retryOf(entry)} |

## What happened

${entry.explanation}

## How to fix it

${entry.suggestedFix}

${statusNote(entry)}

## Example response

### GraphQL

${codeBlock(graphql)}

### Uploads and other endpoints

${codeBlock(rest)}

## Related

${entry.related.map((name) => `* [${name}](${pathOf(name)})`).join('\n')}
`;
}

function retryOf({ retryable }: ErrorEntry): string {
  return retryable ? 'yes, after a delay' : 'no, change the request first';
}

function codeBlock(value: object): string {
  return `\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\``;
}

/** Whether the error usually concerns the whole request and not a single field. */
function isWholeRequest(entry: ErrorEntry): boolean {
  return ['AuthenticationError', 'AuthorizationError', 'RateLimitError', 'AvailabilityError', 'InternalError'].includes(
    entry.errorType,
  );
}

function statusNote(entry: ErrorEntry): string {
  return isWholeRequest(entry)
    ? `\`POST /graphql\` responds with status ${entry.httpStatus} when the whole request fails with this error, and ` +
        'with 200 when only some fields do.'
    : '`POST /graphql` responds with status 200 and this error in `errors`. If the document could not be executed at ' +
        'all, the status is 400 for clients that accept `application/graphql-response+json`, and 200 for ' +
        `\`application/json\`. Uploads and other endpoints respond with ${entry.httpStatus}.`;
}

function indexOf(baseUrl: string): string {
  const rows = CODES.map((code) => {
    const { errorType, httpStatus, message } = ERROR_CATALOGUE[code];
    return `| [${code}](${pathOf(code)}) | ${errorType} | ${httpStatus} | ${message} |`;
  });
  return `# Errors

Every error has a stable code. Handle errors by code: messages can change.

In GraphQL, the fields below are in \`errors[].extensions\`. On uploads and all other endpoints of ${baseUrl}, they
are in \`errors[]\`.

## Partial results

Every GraphQL error has a \`path\`: the response keys down to the field that it is about. Root fields succeed or fail
one by one. One that fails is \`null\`, and the others are complete; what a mutation has done is always in \`data\`:

\`\`\`json
{
  "data": { "a": { "id": "did:reelgraph:playlist/…" }, "b": null },
  "errors": [{ "message": "title must not be empty.", "path": ["b"], "extensions": { "code": "INVALID_INPUT" } }]
}
\`\`\`

Send only what failed again. A response without \`data\` executed nothing; its errors name the field of the document
that they are about, the first one where they are about the whole request, and \`[]\` where there is no document.

| code | type | status | meaning |
|---|---|---|---|
${rows.join('\n')}

## Error fields

| field | meaning |
|---|---|
| \`code\` | Stable error code. |
| \`errorType\` | Error category. |
| \`field\` | The argument that caused the error, if any. |
| \`suggestedFix\` | How to fix the error. |
| \`documentation\` | Address of the page about this error. |
| \`retryable\` | Whether the same request may succeed later. Retry only then, after the time in \`Retry-After\`. |

Every response has an \`X-Request-Id\` header. Include it when you report a problem; it is in the server log.

Programs get these pages as JSON with \`Accept: application/json\`.
`;
}

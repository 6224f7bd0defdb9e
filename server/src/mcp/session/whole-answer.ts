import { isLegacyRequest, type Server, WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server';

/** Their answer is one message. */
const METHODS: ReadonlySet<unknown> = new Set([
  'tools/list',
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'prompts/list',
]);

/**
 * Whether a request of a protocol before 2026-07-28 is answered with JSON, which can be compressed: the SDK answers
 * those with a stream of events otherwise.
 */
export async function isAnsweredWhole(request: Request, message: unknown): Promise<boolean> {
  if (typeof message !== 'object' || message === null || !('method' in message) || !('id' in message)) return false;
  return METHODS.has(message.method) && (await isLegacyRequest(request, message));
}

/** The answer to such a request, as JSON. */
export async function answerWhole(server: Server, request: Request, message: unknown): Promise<Response> {
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  try {
    return await transport.handleRequest(request, { parsedBody: message });
  } finally {
    await server.close();
  }
}

import type { IncomingMessage } from 'node:http';
import { AppError } from '../../../kernel/errors.ts';
import { type Text, t } from '../../../kernel/languages/message.ts';
import { parseRestJson } from '../../../platform/parse-json.ts';

/** Maximum size of a beacon, which is also the browsers' limit of bytes in flight per page. */
export const MAX_BEACON_BYTES = 64 * 1024;
const TIMEOUT_MS = 10_000;
/** sendBeacon sends strings as text/plain, which needs no preflight. */
const ACCEPTED = /^(text\/plain|application\/json)\s*(;|$)/i;

/** The unparsed events of a beacon. Throws INVALID_INPUT or FIELD_REQUIRED; the body is read to its end either way. */
export async function readBeacon(request: IncomingMessage): Promise<readonly unknown[]> {
  const bytes = await readBytes(request);
  if (!ACCEPTED.test(request.headers['content-type'] ?? 'text/plain')) {
    throw bad(
      t`The content type is neither text/plain nor application/json.`,
      t`Send JSON as text/plain or application/json.`,
    );
  }
  const { events } = asObject(parseRestJson(bytes));
  if (events == null)
    throw new AppError('FIELD_REQUIRED', t`events is missing.`, { field: 'events', suggestedFix: t`Send events.` });
  if (!Array.isArray(events)) throw bad(t`events is not a list.`, t`Send a list of events.`, 'events');
  return events;
}

/**
 * Like the body reader of http, but without an error: an excess is read for a while, so that the sender receives the
 * response.
 */
function readBytes(request: IncomingMessage): Promise<Buffer> {
  return new Promise((done, failed) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const timer = setTimeout(() => request.destroy(), TIMEOUT_MS);
    const end = (): void => {
      clearTimeout(timer);
      if (size > MAX_BEACON_BYTES)
        failed(bad(t`The body is larger than ${MAX_BEACON_BYTES} bytes.`, t`Send fewer events at a time.`));
      else done(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks));
    };
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= MAX_BEACON_BYTES) chunks.push(chunk);
      else if (size > 64 * MAX_BEACON_BYTES) {
        request.pause();
        end();
      }
    });
    request.on('end', end);
    request.on('error', failed);
    request.on('close', () => {
      clearTimeout(timer);
      if (!request.readableEnded) failed(new Error('The client closed the connection before the body was complete.'));
    });
  });
}

function asObject(value: unknown): Readonly<Record<string, unknown>> {
  // Checked above.
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  throw bad(t`The body is not a JSON object.`, t`Send a JSON object: { "events": [ … ] }.`);
}

function bad(message: Text, suggestedFix: Text, field?: string): AppError {
  return new AppError('INVALID_INPUT', message, { suggestedFix, ...(field === undefined ? {} : { field }) });
}

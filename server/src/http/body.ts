import type { IncomingMessage } from 'node:http';
import { AppError } from '../kernel/errors.ts';
import { t } from '../kernel/languages/message.ts';
import { parseJson } from '../platform/parse-json.ts';
import { type BodyLimits, readBody } from '../platform/read-body.ts';
import { HttpError } from './errors.ts';

/** A parsed body and its length. */
export interface JsonBody {
  readonly value: unknown;
  readonly bytes: number;
}

/**
 * A body as JSON. Rejects other content types (415), compressed bodies (415), bodies that are too long (413), and
 * invalid UTF-8, invalid JSON or too deep nesting (400).
 */
export async function readJson(request: IncomingMessage, limits: BodyLimits): Promise<JsonBody> {
  requireJson(request);
  const bytes = await readBody(request, limits);
  if (bytes.length === 0)
    throw new AppError('FIELD_REQUIRED', t`The request has no body.`, {
      suggestedFix: t`Send a JSON object as the body.`,
    });
  return { value: parseJson(bytes), bytes: bytes.length };
}

/** Throws unless the content type is application/json, with charset UTF-8 if given, without a content coding. */
function requireJson(request: IncomingMessage): void {
  const type = request.headers['content-type'];
  if (type !== 'application/json') {
    const [media, ...parameters] = (type ?? '')
      .toLowerCase()
      .split(';')
      .map((part) => part.trim());
    const charset = parameters
      .find((parameter) => parameter.startsWith('charset='))
      ?.slice(8)
      .replaceAll('"', '');
    if (media !== 'application/json' || (charset !== undefined && charset !== 'utf-8' && charset !== 'utf8')) {
      throw new HttpError(
        415,
        'INVALID_INPUT',
        type ? t`The content type ${type.slice(0, 80)} is not supported here.` : t`The content type is missing.`,
        {
          suggestedFix: t`Send the header "Content-Type: application/json" and a JSON body in UTF-8.`,
          headers: { 'accept-post': 'application/json' },
        },
      );
    }
  }
  const coding = request.headers['content-encoding'];
  if (coding !== undefined && coding !== 'identity') {
    throw new HttpError(415, 'INVALID_INPUT', t`The content encoding ${coding.slice(0, 40)} is not supported here.`, {
      suggestedFix: t`Send the body uncompressed.`,
      headers: { 'accept-encoding': 'identity' },
    });
  }
}

import type { ServerResponse } from 'node:http';
import { AppError, type ErrorCode, errorExtensions } from '../../../../kernel/errors.ts';
import { localized } from '../../../../kernel/languages/catalogs.ts';
import { type Text, t } from '../../../../kernel/languages/message.ts';
import type { RequestContext } from '../../../../platform/routing.ts';

/**
 * An error with the status that the upload protocol prescribes, regardless of the catalogue: clients act on the status
 * (tus 1.0.0: 409 requests the offset again, 412 another version, 413 aborts).
 */
export interface ProtocolFailure {
  readonly status: number;
  readonly error: AppError;
}

interface Meaning {
  readonly status?: number;
  readonly code: ErrorCode;
  readonly message: Text;
  readonly fix: Text;
  /** The header that it is about. */
  readonly field?: string;
}

const TOO_MANY_BYTES: Meaning = {
  code: 'UPLOAD_FAILED',
  message: t`More bytes were sent than this upload was opened for.`,
  fix: t`Open a new upload with the exact size of the file.`,
};

const UNSUPPORTED_CONTENT_TYPE: Meaning = {
  code: 'INVALID_INPUT',
  message: t`Bytes are sent as application/offset+octet-stream.`,
  fix: t`Send "Content-Type: application/offset+octet-stream".`,
};

/** What the library's statuses mean. */
const MEANINGS: Readonly<Record<number, Meaning>> = {
  403: {
    status: 400,
    code: 'FIELD_REQUIRED',
    field: 'Upload-Offset',
    message: t`The header Upload-Offset is missing.`,
    fix: t`Send Upload-Offset with every PATCH: the offset that HEAD reports.`,
  },
  404: {
    code: 'RESOURCE_NOT_FOUND',
    message: t`There is no upload at this address.`,
    fix: t`Use the endpoint exactly as it was returned.`,
  },
  409: {
    code: 'UPLOAD_FAILED',
    message: t`Upload-Offset does not match the offset of this upload.`,
    fix: t`Request the offset with HEAD and continue from there.`,
  },
  410: {
    code: 'TOKEN_EXPIRED',
    message: t`This upload has ended.`,
    fix: t`Open a new upload and send the file to its endpoint.`,
  },
  412: {
    code: 'INVALID_INPUT',
    message: t`This is not a request of the upload protocol: the header "Tus-Resumable: 1.0.0" is missing or names
      another version.`,
    fix: t`Use a tus 1.0.0 client, or send the whole file with one PUT.`,
  },
  413: TOO_MANY_BYTES,
  415: UNSUPPORTED_CONTENT_TYPE,
  500: {
    status: 503,
    code: 'SERVICE_UNAVAILABLE',
    message: t`Another request is working on this upload.`,
    fix: t`Wait a moment, request the offset with HEAD and continue from there.`,
  },
  501: {
    code: 'INVALID_INPUT',
    message: t`This extension of the upload protocol is not supported.`,
    fix: t`Upload the file in one sequence; OPTIONS /uploads lists the supported extensions.`,
  },
};

/** The library names the header it could not parse, and reports an unsupported version as invalid. */
const INVALID_HEADER = /^Invalid (tus-resumable|upload-[a-z-]+|content-type)\b/i;
const MISSING_TYPE = /^Content-Type header/i;
const MISSING_LENGTH = /^Upload-Length or/i;

/** The failure behind a status and text of the protocol library. */
export function protocolFailure(status: number, text: string, method: string): ProtocolFailure {
  const header = INVALID_HEADER.exec(text)?.[1]?.toLowerCase();
  const meant = header === 'tus-resumable' ? 412 : header === 'content-type' || MISSING_TYPE.test(text) ? 415 : status;
  // A PATCH has an invalid length only if another request has set the length, or sent bytes, meanwhile.
  const conflicts = method === 'PATCH' && MISSING_LENGTH.test(text);
  if (conflicts) return { status: 409, error: conflict() };
  const meaning = MEANINGS[meant];
  if (meaning) {
    const { code, message: about, fix: suggestedFix, field } = meaning;
    const error = new AppError(code, about, { suggestedFix, ...(field === undefined ? {} : { field }) });
    return { status: meaning.status ?? meant, error };
  }
  if (MISSING_LENGTH.test(text)) return missingLength(status);
  const message = text.trim() || t`This is not a valid request of the upload protocol.`;
  return {
    status,
    error: new AppError('INVALID_INPUT', header ? t`The header ${headerName(header)} is not valid.` : message, {
      ...(header ? { field: headerName(header) } : {}),
      suggestedFix:
        (header && HEADER_FIXES[header]) ?? t`Compare the headers with tus 1.0.0, or send the whole file with one PUT.`,
    }),
  };
}

/** The error of a request with more bytes than the upload has left. */
export function tooManyBytes(): AppError {
  return errorFor(TOO_MANY_BYTES, 413);
}

/** The error of a request whose bytes have another content type. */
export function unsupportedContentType(): AppError {
  return errorFor(UNSUPPORTED_CONTENT_TYPE, 415);
}

function errorFor({ code, message, fix }: Meaning, httpStatus: number): AppError {
  return new AppError(code, message, { suggestedFix: fix, httpStatus });
}

function conflict(): AppError {
  return new AppError('UPLOAD_FAILED', t`Another request has changed this upload at the same time.`, {
    field: 'Upload-Length',
    suggestedFix: t`Send one request at a time: ask for offset and length with HEAD, and continue from there.`,
  });
}

const HEADER_FIXES: Readonly<Record<string, string>> = {
  'upload-length': t`Send the exact size of the file in bytes, in decimal digits.`,
  'upload-defer-length': t`Send 1, or send Upload-Length instead if the size is known.`,
  'upload-offset': t`Send the offset that HEAD reports, in decimal digits.`,
  'upload-metadata': t`Send pairs of a name and a value in base64, separated by commas: "filename bXkubXA0,contentId
    ZGlkOi4uLg==".`,
};

function missingLength(status: number): ProtocolFailure {
  const field = 'Upload-Length';
  return {
    status,
    error: new AppError('FIELD_REQUIRED', t`A new upload has either Upload-Length or Upload-Defer-Length.`, {
      field,
      suggestedFix: t`Send the size of the file in Upload-Length, or "Upload-Defer-Length: 1" if it is not known yet.`,
    }),
  };
}

/** `upload-length` as the protocol spells it. */
function headerName(lowerCase: string): string {
  return lowerCase.replace(/(^|-)[a-z]/g, (start) => start.toUpperCase());
}

/** Sends the error in the common form of all endpoints. */
export function sendProtocolFailure(
  response: ServerResponse,
  { status, error }: ProtocolFailure,
  baseUrl: string,
  { requestId, language }: Pick<RequestContext, 'requestId' | 'language'>,
): void {
  const message = localized(error.text, language);
  const body = JSON.stringify({ errors: [{ message, ...errorExtensions(error, baseUrl, language) }], requestId });
  response.statusCode = status;
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  response.setHeader('Cache-Control', 'no-store');
  response.setHeader('Content-Length', Buffer.byteLength(body));
  // tus 1.0.0, "Tus-Resumable": the refusal lists the supported versions.
  if (status === 412) response.setHeader('Tus-Version', '1.0.0');
  if (status === 503) response.setHeader('Retry-After', '1');
  response.end(body);
}

import {
  COUNT,
  type Described,
  headerParameter,
  json,
  KEY,
  object,
  type Paths,
  pathParameter,
  REFUSED,
  REFUSED_WITHOUT_BODY,
  responseHeaders,
  TEXT,
} from './openapi.ts';

const VERSION = headerParameter('Tus-Resumable', 'The version of the protocol: 1.0.0.', { const: '1.0.0' });
const ADDRESS = pathParameter(
  'address',
  'Id and secret of the upload, from its endpoint. The address ' +
    'is the permission: it needs no key, and must be kept secret.',
);
const PART = {
  ...headerParameter('Content-Range', 'bytes FIRST-LAST/SIZE: the body is this part.', TEXT),
  required: false,
};
const CHECKSUM = headerParameter(
  'Upload-Checksum',
  'sha1, sha256 or crc32, a space and the digest of the bytes in base64 (tus).',
  TEXT,
  false,
);
const CONCAT = headerParameter(
  'Upload-Concat',
  'partial: a part of a file, which is nothing of its own. final; and the addresses of up to 100 complete parts in ' +
    'their order, separated by spaces: the file, without Upload-Length and body (tus).',
  TEXT,
  false,
);
const BYTES = { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } };
const ABILITIES = {
  description: 'The supported versions and extensions.',
  headers: responseHeaders({
    'tus-version': 'Versions of tus.',
    'tus-extension': 'Extensions of tus.',
    'tus-max-size': 'Largest size of a file in bytes, on the largest plan.',
    'tus-checksum-algorithm': 'Algorithms of Upload-Checksum.',
  }),
};

const EXPIRES = 'Deadline for the next data, while the upload is open.';
const FINISHED = json(
  'The file is complete.',
  object({ upload: object({ state: { const: 'FINISHED' }, assetName: TEXT, receivedBytes: COUNT }) }),
);

const abilities = (operationId: string, parameters: Described['parameters'] = []): Described => ({
  operationId,
  summary: 'Discover the supported tus features',
  parameters,
  responses: { 200: ABILITIES },
});

const whole = (operationId: string): Described => ({
  operationId,
  summary: 'Upload the whole file',
  description:
    'Begins at the first byte and replaces anything sent before. Data that arrives ' +
    'before a lost connection is kept: resume with HEAD and PATCH. 503 with ' +
    'Retry-After: the storage is full, and the data of this request is discarded. With Content-Range only one part ' +
    'is sent, in order: the last one gets 200, all others 308; "bytes */SIZE" without a body asks what has arrived. ' +
    '409: the part begins behind the next missing byte, which Range tells.',
  parameters: [ADDRESS, PART],
  requestBody: { required: true, content: BYTES },
  responses: {
    200: FINISHED,
    308: {
      description: 'The part arrived; others are missing. Without Range nothing has arrived.',
      headers: responseHeaders({ range: 'What has arrived: bytes=0-LAST.' }),
    },
    '4XX': REFUSED,
  },
});

/**
 * Uploads: tus 1.0.0 (creation, creation-defer-length, creation-with-upload, termination, expiration, checksum,
 * concatenation), the whole file in one request, or parts in the object storage.
 */
export const UPLOAD_PATHS: Paths = {
  '/uploads': {
    post: {
      operationId: 'openUpload',
      summary: 'Create an upload (tus creation)',
      description:
        'The mutations publishVideo and createContentAsset do the same and return the address. A video without ' +
        'contentId makes a draft, which is processed when the last byte is in. 413: more than the plan allows, or ' +
        'than this server can store at all; 503 with Retry-After: no space at the moment. 409: a part ' +
        'belongs to another file; the same request again gets the same upload.',
      security: KEY,
      parameters: [
        VERSION,
        {
          ...headerParameter(
            'Upload-Length',
            'Size of the file, or of a part, in bytes. Either this or Upload-Defer-Length.',
            COUNT,
          ),
          required: false,
        },
        {
          ...headerParameter('Upload-Defer-Length', '1: the size is not known yet, PATCH will have it.', {
            const: '1',
          }),
          required: false,
        },
        headerParameter(
          'Upload-Metadata',
          'Pairs of a name and a base64 value: filename, contentId or channelId, filetype, title (of a draft), hint ' +
            '(VideoContentType or the purpose of an image), alt.',
          TEXT,
          false,
        ),
        CHECKSUM,
        CONCAT,
      ],
      responses: {
        201: {
          description: 'Opened.',
          headers: responseHeaders({ location: 'Where to send the bytes.', 'upload-expires': EXPIRES }),
        },
        '4XX': REFUSED,
      },
    },
    options: abilities('uploadAbilities'),
  },
  '/uploads/{address}': {
    head: {
      operationId: 'uploadOffset',
      summary: 'Get the offset of an upload (tus)',
      description: '410: the upload was cancelled, has failed or has expired.',
      parameters: [ADDRESS, VERSION],
      responses: {
        200: {
          description:
            'The upload is open, or finished. While its size is not known: Upload-Defer-Length: 1. While parts are ' +
            'joined to it: no Upload-Offset. For partial and final uploads: Upload-Concat as it was sent.',
          headers: responseHeaders({
            'upload-offset': 'Bytes that arrived.',
            'upload-length': 'Size of the file, once it is known.',
            'upload-expires': EXPIRES,
          }),
        },
        '4XX': REFUSED_WITHOUT_BODY,
      },
    },
    patch: {
      operationId: 'continueUpload',
      summary: 'Continue an upload (tus)',
      description:
        '503 with Retry-After: the storage is full; acknowledged data is kept. 413: more than the upload was opened ' +
        'for or, while its size is not known, than plan or storage take; what has arrived is kept. 460: the bytes do ' +
        'not have the checksum, and none of them is kept.',
      parameters: [
        ADDRESS,
        VERSION,
        headerParameter('Upload-Offset', 'Offset of the data: what HEAD returned.', COUNT),
        {
          ...headerParameter('Upload-Length', 'Size of a file that was opened with Upload-Defer-Length.', COUNT),
          required: false,
        },
        CHECKSUM,
      ],
      requestBody: {
        required: true,
        content: { 'application/offset+octet-stream': { schema: { type: 'string', format: 'binary' } } },
      },
      responses: {
        204: {
          description: 'They arrived.',
          headers: responseHeaders({ 'upload-offset': 'Bytes that arrived so far.', 'upload-expires': EXPIRES }),
        },
        '4XX': REFUSED,
      },
    },
    put: whole('putUpload'),
    post: whole('postUpload'),
    delete: {
      operationId: 'cancelUpload',
      summary: 'End an upload (tus termination)',
      parameters: [ADDRESS, VERSION],
      responses: {
        204: { description: 'Ended: of an open upload the data is deleted, of a complete one only the address ends.' },
        '4XX': REFUSED,
      },
    },
    options: abilities('uploadAbilitiesOfOne', [ADDRESS]),
  },
  '/uploads/{address}/parts': {
    post: {
      operationId: 'offerUploadParts',
      summary: 'Get signed addresses of parts in the object storage',
      description:
        'For servers whose object storage takes uploads itself (direct of the upload is not null). PUT each part ' +
        'to its address, with exactly its size; an address is valid for an hour, and can be requested again.',
      parameters: [ADDRESS],
      requestBody: {
        required: true,
        content: {
          'application/json': {
            schema: {
              type: 'object',
              properties: {
                first: { ...COUNT, description: 'Number of the first part, from 1; default 1.' },
                count: { ...COUNT, description: 'How many parts, at most and by default 100.' },
              },
            },
          },
        },
      },
      responses: {
        200: json(
          'The addresses.',
          object({
            upload: object({ partCount: COUNT, partSizeBytes: COUNT }),
            parts: {
              type: 'array',
              items: object({ number: COUNT, sizeBytes: COUNT, url: TEXT, expiresAt: TEXT }),
            },
          }),
        ),
        '4XX': REFUSED,
      },
    },
  },
  '/uploads/{address}/complete': {
    post: {
      operationId: 'completeUploadParts',
      summary: 'Finish an upload whose parts are in the object storage',
      description: 'The upload stays open if a part is missing, is not the one with this ETag, or has another size.',
      parameters: [ADDRESS],
      requestBody: {
        required: true,
        content: { 'application/json': { schema: object({ etags: { type: 'array', items: TEXT } }) } },
      },
      responses: { 200: FINISHED, '4XX': REFUSED },
    },
  },
};

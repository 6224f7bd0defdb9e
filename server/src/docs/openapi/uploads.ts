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
  responseHeaders,
  TEXT,
} from './openapi.ts';

const VERSION = headerParameter('Tus-Resumable', 'The version of the protocol: 1.0.0.', { const: '1.0.0' });
const ADDRESS = pathParameter(
  'address',
  'Identifier and secret of the upload, as the endpoint says it. It is the permission: it needs no key, and must be kept secret.',
);
const BYTES = { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } };
const ABILITIES = {
  description: 'What is supported.',
  headers: responseHeaders({ 'tus-version': 'Versions of tus.', 'tus-extension': 'Extensions of tus.' }),
};

const FINISHED = json(
  'All bytes are here.',
  object({ upload: object({ state: { const: 'FINISHED' }, assetName: TEXT, receivedBytes: COUNT }) }),
);

const abilities = (operationId: string): Described => ({
  operationId,
  summary: 'Ask what is supported (tus)',
  responses: { 204: ABILITIES },
});

const whole = (operationId: string): Described => ({
  operationId,
  summary: 'Send the whole file',
  description:
    'Begins at the first byte, in place of anything sent before. What arrives until a connection breaks is kept: continue it by HEAD and PATCH. 503 with Retry-After: the storage is full, and what was sent now is not kept.',
  parameters: [ADDRESS],
  requestBody: { required: true, content: BYTES },
  responses: { 200: FINISHED, '4XX': REFUSED },
});

/** Where files arrive: tus 1.0.0 (creation, creation-with-upload, termination, expiration), or the whole file at once. */
export const UPLOAD_PATHS: Paths = {
  '/uploads': {
    post: {
      operationId: 'openUpload',
      summary: 'Open an upload (tus creation)',
      description:
        'The mutations publishVideo and createContentAsset do the same and answer with the address. 413: more than this server can store at all; 503 with Retry-After: there is no room at present.',
      security: KEY,
      parameters: [
        VERSION,
        headerParameter('Upload-Length', 'Size of the file in bytes.', COUNT),
        headerParameter(
          'Upload-Metadata',
          'Pairs of a name and a base64 value: contentId or channelId, filename, and if wanted filetype, hint (VideoContentType or the purpose of an image), alt.',
        ),
      ],
      responses: {
        201: { description: 'Opened.', headers: responseHeaders({ location: 'Where to send the bytes.' }) },
        '4XX': REFUSED,
      },
    },
    options: abilities('uploadAbilities'),
  },
  '/uploads/{address}': {
    head: {
      operationId: 'uploadOffset',
      summary: 'Ask how much has arrived (tus)',
      parameters: [ADDRESS, VERSION],
      responses: {
        200: {
          description: 'It is open, or finished.',
          headers: responseHeaders({ 'upload-offset': 'Bytes that arrived.', 'upload-length': 'Size of the file.' }),
        },
      },
    },
    patch: {
      operationId: 'continueUpload',
      summary: 'Send the next bytes (tus)',
      description: '503 with Retry-After: the storage is full; what was acknowledged before is kept.',
      parameters: [ADDRESS, VERSION, headerParameter('Upload-Offset', 'Where they begin: what HEAD answered.', COUNT)],
      requestBody: { required: true, content: { 'application/offset+octet-stream': { schema: { type: 'string', format: 'binary' } } } },
      responses: {
        204: { description: 'They arrived.', headers: responseHeaders({ 'upload-offset': 'Bytes that arrived so far.' }) },
        '4XX': REFUSED,
      },
    },
    put: whole('putUpload'),
    post: whole('postUpload'),
    delete: {
      operationId: 'cancelUpload',
      summary: 'Give it up (tus termination)',
      parameters: [ADDRESS, VERSION],
      responses: { 204: { description: 'Given up; its bytes are deleted.' } },
    },
    options: abilities('uploadAbilitiesOfOne'),
  },
};

import {
  headerParameter,
  type Paths,
  pathParameter,
  REFUSED,
  REFUSED_WITHOUT_BODY,
  responseHeaders,
  TEXT,
} from './openapi.ts';

const PATH = pathParameter(
  'path',
  'The rest of an address that the API returned. It may contain slashes and a signature; do not construct it.',
);
const FILE = { '*/*': { schema: { type: 'string', format: 'binary' } } };
const HEADERS = responseHeaders({
  'access-control-allow-origin': 'Any origin, for players on other sites.',
  etag: 'ETag of this version of the file.',
  'cache-control': 'Segments of public videos are immutable, signed responses are never cached.',
});

/** Playlists, segments, images, captions, downloads. */
export const MEDIA_PATHS: Paths = {
  '/media/{path}': {
    get: {
      operationId: 'getMedia',
      summary: 'Read a playlist, segment, image, captions or download',
      parameters: [
        PATH,
        headerParameter('Range', 'One range of bytes.', TEXT, false),
        headerParameter('If-None-Match', 'The ETag of the cached version.', TEXT, false),
      ],
      responses: {
        200: { description: 'The file.', headers: HEADERS, content: FILE },
        206: {
          description: 'The requested range.',
          headers: { ...HEADERS, ...responseHeaders({ 'content-range': 'Which part.' }) },
          content: FILE,
        },
        304: { description: 'Not modified.' },
        '4XX': REFUSED,
      },
    },
    head: {
      operationId: 'headMedia',
      summary: 'Read the headers only',
      parameters: [PATH],
      responses: { 200: { description: 'The headers of GET.', headers: HEADERS }, '4XX': REFUSED_WITHOUT_BODY },
    },
  },
};

import { headerParameter, type Paths, pathParameter, REFUSED, responseHeaders, TEXT } from './openapi.ts';

const PATH = pathParameter(
  'path',
  'The rest of an address that the API answered; it may hold slashes and a signature, and is not to be built by hand.',
);
const FILE = { '*/*': { schema: { type: 'string', format: 'binary' } } };
const HEADERS = responseHeaders({
  'access-control-allow-origin': 'Any: players of other sites may read.',
  etag: 'Of this version of the file.',
  'cache-control': 'Segments of public videos are kept for good, signed answers never.',
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
        headerParameter('If-None-Match', 'The ETag of what is known.', TEXT, false),
      ],
      responses: {
        200: { description: 'The file.', headers: HEADERS, content: FILE },
        206: {
          description: 'The part asked for.',
          headers: { ...HEADERS, ...responseHeaders({ 'content-range': 'Which part.' }) },
          content: FILE,
        },
        304: { description: 'It is what is known already.' },
        '4XX': REFUSED,
      },
    },
    head: {
      operationId: 'headMedia',
      summary: 'Read the headers only',
      parameters: [PATH],
      responses: { 200: { description: 'What GET would answer, without the file.', headers: HEADERS } },
    },
  },
};

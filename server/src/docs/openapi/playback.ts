import {
  COUNT,
  json,
  object,
  type Paths,
  pathParameter,
  queryParameter,
  REFUSED,
  responseHeaders,
  TEXT,
} from './openapi.ts';

const PARAMETERS = [
  pathParameter('content', 'The last 36 characters of the id of a content.'),
  queryParameter('token', 'A playback token that your site signed.', true),
  queryParameter(
    'site',
    'For the embed player, which is a page of this platform: the address of the page around it. Ignored elsewhere.',
    false,
  ),
];
const SIZE = { type: ['integer', 'null'] };
const ADDRESS = { type: ['string', 'null'] };
const PLAYBACK_MEMBERS = {
  title: TEXT,
  width: { ...SIZE, description: 'In pixels; null for audio only.' },
  height: { ...SIZE, description: 'In pixels; null for audio only.' },
  durationMs: SIZE,
  hls: { ...TEXT, description: 'Address of the HLS master playlist.' },
  dash: { ...ADDRESS, description: 'Address of the DASH manifest; null if there is none.' },
  poster: { ...ADDRESS, description: 'Address of an image; null if there is none.' },
  storyboard: {
    anyOf: [object({ urlFormat: TEXT, count: COUNT, vtt: ADDRESS }), { type: 'null' }],
    description:
      'Pictures for the seek bar: an address with %05d for the number of an image, starting at 1, and the address of ' +
      'a WebVTT file that names the part of an image for each moment (#xywh=). Without the latter, in videos ' +
      'processed before it was introduced, each image is one picture, at equal intervals.',
  },
  expiresAt: {
    ...ADDRESS,
    description: 'When the addresses stop working at the latest; null for contents that are not private.',
  },
};
const PLAYBACK = object(PLAYBACK_MEMBERS);
const SHARED_PLAYBACK = object({
  ...PLAYBACK_MEMBERS,
  content: { ...TEXT, description: 'Id of the content.' },
  summary: TEXT,
  channel: object({ title: TEXT, handle: TEXT }),
  pass: {
    ...TEXT,
    description: 'Opens the link again for twelve hours, without its password and without being counted.',
  },
});
/** Each member is optional but `token`. */
const OPENING = {
  type: 'object',
  required: ['token'],
  properties: {
    token: { ...TEXT, description: 'The last part of the address of the link.' },
    password: { ...TEXT, description: 'Its password, where it has one.' },
    pass: { ...TEXT, description: 'From an earlier response.' },
  },
};

function redirect(operationId: string, summary: string): Paths[string] {
  const location = responseHeaders({ location: 'A signed address below /media/.' });
  return {
    get: {
      operationId,
      summary,
      parameters: PARAMETERS,
      responses: { 302: { description: 'To the file.', headers: location }, '4XX': REFUSED },
    },
  };
}

/** Playback with tokens that sites sign. */
export const PLAYBACK_PATHS: Paths = {
  '/playback/{content}': {
    get: {
      operationId: 'getPlayback',
      summary: 'Exchange a playback token for the addresses of a video',
      parameters: PARAMETERS,
      responses: { 200: json('The video and its addresses.', PLAYBACK), '4XX': REFUSED },
    },
  },
  '/playback/{content}/master.m3u8': redirect('playHls', 'Play by HLS with a playback token'),
  '/playback/{content}/manifest.mpd': redirect('playDash', 'Play by DASH with a playback token'),
  '/api/share-links/open': {
    post: {
      operationId: 'openShareLink',
      summary: 'Open a link to a private video',
      description:
        'Exchanges the token of a link (createShareLink), and its password, for the addresses of the video. Whoever ' +
        'has the pass of an earlier response opens it again without a further use.',
      requestBody: { required: true, content: { 'application/json': { schema: OPENING } } },
      responses: { 200: json('The video and its addresses.', SHARED_PLAYBACK), '4XX': REFUSED },
    },
  },
};

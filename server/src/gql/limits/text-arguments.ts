/** How a text of the schema is read. */
interface TextArgument {
  /** Characters (UTF-16) that reach its reader at most; the reader may have a smaller limit of its own. */
  readonly most: number;
  /** The parser of this text (`testing/parsers/text-parsers.ts`), which takes linear time. */
  readonly parser: string;
}

/** Of every text that needs no more: longer ones are refused before anything reads them. */
const SHORT = 16_384;
/** Half of a request: JSON may escape every character with two. */
const CAPTIONS = 512 * 1024;
/** 500,000 bytes in base64. */
const LOGO = 700_000;
const LEGAL_TEXT = 200_000;
/** A document has at most this many characters. */
const DOCUMENT = 100_000;

const text = (parser: string, most = SHORT): TextArgument => ({ most, parser });

/**
 * Every text that a client can send in an argument, by the name of the argument, or by its coordinate where it differs
 * from others of its name. A schema with a text that is not here does not build.
 */
export const TEXT_ARGUMENTS: Readonly<Record<string, TextArgument>> = {
  accentColor: text('color'),
  after: text('cursor'),
  alt: text('line'),
  assetName: text('filename'),
  before: text('cursor'),
  bio: text('text'),
  blockedWords: text('blocked words'),
  body: text('comment'),
  category: text('name of a category'),
  code: text('line'),
  cursor: text('cursor of events'),
  description: text('line'),
  displayName: text('line'),
  email: text('line'),
  errorCode: text('line'),
  filename: text('filename'),
  from: text('language tag'),
  handle: text('handle'),
  imageUrl: text('url'),
  keywords: text('words'),
  label: text('line'),
  language: text('language tag'),
  logo: text('base64', LOGO),
  model: text('line'),
  name: text('line'),
  'CategoryInput.name': text('name of a category'),
  'ContentGenreInput.name': text('name of a genre'),
  'ContentRatingInput.name': text('name of a rating'),
  note: text('text'),
  pageToken: text('line'),
  password: text('password'),
  permissions: text('words'),
  privacyText: text('Markdown', LEGAL_TEXT),
  privacyUrl: text('url'),
  publicKey: text('public key'),
  quality: text('line'),
  query: text('search text'),
  'ExportDataInput.query': text('GraphQL document', DOCUMENT),
  reason: text('text'),
  search: text('search text'),
  sessionId: text('identifier'),
  shortCode: text('identifier'),
  shortSummary: text('text'),
  sourceUrl: text('url'),
  streamKey: text('line'),
  summary: text('chapters of a description'),
  termsText: text('Markdown', LEGAL_TEXT),
  termsUrl: text('url'),
  text: text('captions', CAPTIONS),
  timeZone: text('time zone'),
  title: text('line'),
  to: text('language tag'),
  token: text('line'),
  url: text('url'),
  'CreateSimulcastTargetInput.url': text('RTMP url'),
  'UpdateSimulcastTargetInput.url': text('RTMP url'),
  username: text('handle'),
  variables: text('JSON', DOCUMENT),
  videoId: text('identifier'),
  websiteUrl: text('url'),
};

/** The most characters of each, for the engine. */
export const TEXT_SIZES: Readonly<Record<string, number>> = Object.fromEntries(
  Object.entries(TEXT_ARGUMENTS).map(([name, { most }]) => [name, most]),
);

import { filledWith } from './shapes.ts';
import { characters, FIELD, filled, type TextParser } from './text-parser.ts';

/** Parsers of texts in arguments. */
export const ARGUMENT_PARSERS = {
  text: {
    load: async () => {
      const { readText } = await import('../../kernel/text.ts');
      return (text) => readText(text, { field: FIELD, maxLength: 5_000, multiline: true, required: true });
    },
    shapes: { marks: (length) => `a${'\u0301'.repeat(length - 1)}`, syllables: filledWith('\u1112\u1161\u11ab') },
  },
  line: {
    load: async () => {
      const { readText } = await import('../../kernel/text.ts');
      return (text) => readText(text, { field: FIELD, maxLength: 200, required: true });
    },
    shapes: filled({ overrides: '\u202e', invisible: '\u200b' }),
  },
  words: {
    load: async () => {
      const { readWords } = await import('../../kernel/text.ts');
      return (text) => readWords(text.split('[').concat([...text].slice(0, 1_000)), FIELD, { most: 30, maxLength: 50 });
    },
    shapes: filled({ 'two words': 'a[b[' }),
  },
  url: {
    load: async () => {
      const { readUrl } = await import('../../kernel/urls.ts');
      return (text) => readUrl(`https://example.com/${text}`, FIELD);
    },
    shapes: characters('%/?#.@'),
  },
  'RTMP url': {
    load: async () => {
      const { readRtmpUrl } = await import('../../kernel/urls.ts');
      return (text) => readRtmpUrl(`rtmp://example.com/${text}`, FIELD);
    },
    shapes: characters('%/?#.@'),
  },
  'language tag': {
    load: async () => {
      const { readLanguageTag } = await import('../../kernel/language-tags.ts');
      return (text) => readLanguageTag(text, FIELD);
    },
    shapes: filled({ subtags: 'a-', extensions: 'en-a-bb-' }),
  },
  handle: {
    load: async () => {
      const { readHandle } = await import('../../kernel/handles.ts');
      return (text) => readHandle(text, FIELD);
    },
    shapes: characters('._-'),
  },
  'time zone': {
    load: async () => {
      const { readTimeZone } = await import('../../domains/channels/time-zone.ts');
      return (text) => readTimeZone(text, FIELD);
    },
    shapes: filled({ areas: 'Europe/', digits: '1+' }),
  },
  color: {
    load: async () => {
      const { readAccentColor } = await import('../../kernel/accent-color.ts');
      return (text) => readAccentColor(text, FIELD);
    },
    shapes: characters('#0'),
  },
  filename: {
    load: async () => {
      const { readFilename } = await import('../../domains/ingest/uploads/upload-input.ts');
      const { curlCommand } = await import('../../domains/ingest/uploads/curl-command.ts');
      return (text) => [curlCommand(text, 'https://example.com'), readFilename(text, FIELD)];
    },
    shapes: characters("/.'"),
  },
  'download name': {
    load: async () => {
      const { downloadName } = await import('../../domains/delivery/files/download-name.ts');
      return (text) => downloadName(text, 'video.mp4');
    },
    shapes: filled({ 'dots and spaces': '. ', 'dots before a word': '....a' }),
  },
  base64: {
    load: async () => {
      const { Buffer: Bytes } = await import('node:buffer');
      return (text) => Bytes.from(text, 'base64');
    },
  },
  filetype: {
    load: async () => (await import('../../domains/ingest/uploads/upload-input.ts')).readFiletype,
    shapes: characters('/.+'),
  },
  'name of a category': {
    load: async () => {
      const { categoryNamed } = await import('../../domains/catalog/taxonomy/taxonomy-names.ts');
      return (text) => categoryNamed(text, FIELD, { language: 'en' });
    },
    shapes: filled({ ands: ' & ', 'spaces before an and': '    &', underscores: '_ ' }),
  },
  'name of a genre': {
    load: async () => {
      const { genreNamed } = await import('../../domains/catalog/taxonomy/taxonomy-names.ts');
      return (text) => genreNamed(text, FIELD, { language: 'en' });
    },
  },
  'name of a rating': {
    load: async () => {
      const { ratingNamed } = await import('../../domains/catalog/taxonomy/taxonomy-names.ts');
      return (text) => ratingNamed('MPAA', text, FIELD);
    },
  },
  comment: {
    load: async () => (await import('../../domains/social/comments/comment-input.ts')).mentionedNames,
    shapes: filled({ mentions: '@anna ', ats: '@', dots: '@a....', names: '@aaa.bbb-' }),
  },
  'held comment': {
    load: async () => {
      const { whyHeld } = await import('../../domains/social/comments/hold-rules.ts');
      const rules = { mode: 'ENABLED', blockedWords: ['spam', 'a b', '🙂'], holdLinks: true } as const;
      return (text) => whyHeld(text, rules);
    },
    shapes: filled({ dots: 'a.', hosts: 'www.', dashes: 'a-', schemes: 'http:', paths: 'a.b', words: 'ab ' }),
  },
  'blocked words': {
    load: async () => {
      const { hasBlockedWord } = await import('../../domains/social/comments/hold-rules.ts');
      return (text) => hasBlockedWord('a comment', [text]);
    },
  },
  'search text': {
    load: async () => (await import('../../domains/discovery/search/highlight.ts')).foldText,
    shapes: { marks: (length) => `a${'\u0301'.repeat(length - 1)}`, ligatures: filledWith('\ufdfa') },
  },
  cursor: {
    load: async () => {
      const { CursorCodec } = await import('../../gql/index.ts');
      const codec = new CursorCodec('Query.contents', 2);
      return (text) => codec.decode(text);
    },
    shapes: characters('A-_'),
  },
  'cursor of events': {
    load: async () => {
      const { readCursor } = await import('../../domains/integrations/events/event-cursor.ts');
      return (text) => readCursor(text, { nowMs: 0, logDays: 30 }, FIELD);
    },
  },
  identifier: {
    load: async () => {
      const { parseDid } = await import('../../gql/index.ts');
      return (text) => parseDid('reelgraph', `did:reelgraph:${text}`);
    },
    shapes: characters(':/-'),
  },
  instant: {
    load: async () => (await import('../../domains/engagement/ingest/instant.ts')).parseInstant,
    shapes: characters('0T:Z'),
  },
  'recovery code': {
    load: async () =>
      (await import('../../domains/accounts/sessions/strong-sign-in/recovery-codes.ts')).readRecoveryCode,
    shapes: filled({ hyphens: '-', groups: 'abcd-' }),
  },
  password: {
    load: async () => {
      const { assertPasswordStrong } = await import('../../domains/accounts/passwords/password-strength.ts');
      return (text) => assertPasswordStrong(text, { email: 'anna@example.com', username: 'anna' });
    },
    shapes: filled({ keyboard: 'qwerty', dates: '1.1.2000', words: 'password', digits: '1' }),
    // The first characters count; a password has 128 at most.
    most: 128,
  },
} as const satisfies Readonly<Record<string, TextParser>>;

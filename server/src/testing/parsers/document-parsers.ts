import { filledWith } from './shapes.ts';
import { characters, FIELD, filled, type TextParser } from './text-parser.ts';

const CUE = '00:00:01.000 --> 00:00:02.000\na\n\n';

/** Parsers of long texts: files, documents, descriptions. */
export const DOCUMENT_PARSERS = {
  captions: {
    load: async () => (await import('../../media/index.ts')).readCaptionsFile,
    shapes: {
      ...filled({ cues: CUE, arrows: '-->\n', notes: 'NOTE\n', 'cues in one line': '00:01.000 --> 00:02.000 ' }),
      header: (length) => `WEBVTT\n${'a\n'.repeat(length / 2)}`,
      'lines in a cue': (length) => `00:01.000 --> 00:02.000\n${'<a>\n'.repeat(length / 4)}`,
      'lines in a note': (length) => `WEBVTT\n\nNOTE\n${'a\n'.repeat(length / 2)}`,
      tags: filledWith('<a '),
    },
  },
  'captions of a video file': {
    load: async () => {
      const { readCues } = await import('../../../../packages/captions/src/web-vtt.ts');
      return (text) => readCues(text, 60);
    },
    shapes: { cues: filledWith(CUE), amp: filledWith('&amp') },
  },
  'captions as SubRip': {
    load: async () => {
      const { readCaptionsFile, subRipText, captionsText } = await import('../../media/index.ts');
      return (text) => {
        const cues = readCaptionsFile(`00:01.000 --> 00:02.000\n${text}`);
        return [subRipText(cues), captionsText(cues)];
      };
    },
    shapes: { cues: (length) => `a\n\n${CUE.repeat(length / CUE.length)}`, amp: filledWith('&lt;') },
  },
  'chapters of a description': {
    load: async () => {
      const { chaptersInText } = await import('../../domains/catalog/chapters/chapters.ts');
      return (text) => chaptersInText(text, null);
    },
    shapes: filled({ times: '0:00 a\n', 'times in one line': '0:00 ', dashes: '0:00 - ', bullets: '- ', digits: '0' }),
  },
  'matches of a search': {
    load: async () => {
      const { excerpt } = await import('../../domains/discovery/search/highlight.ts');
      return (text) => excerpt(text, ['a', 'b*']);
    },
    shapes: filled({ matches: 'a ', ideographs: '漢', beginnings: 'bb ' }),
  },
  'public key': {
    load: async () => {
      const { readPublicKey } = await import('../../domains/delivery/playback/signing-key.ts');
      return (text) => readPublicKey(text, FIELD);
    },
    shapes: filled({ lines: '-----BEGIN PUBLIC KEY-----\n' }),
  },
  'features of a title': {
    load: async () => {
      const { featuresOf } = await import('../../domains/ai/ctr-model/features.ts');
      return (text) => featuresOf({ title: text, description: text, category: null, image: null });
    },
    shapes: filled({ capitals: 'A', words: 'ab ' }),
  },
  'texts for YouTube': {
    load: async () => {
      const { siteTexts } = await import('../../domains/publishing/site/site-texts.ts');
      return (text) => siteTexts({ title: text, summary: text, keywords: [text] });
    },
    shapes: filled({ commas: ', ' }),
  },
  Markdown: {
    load: async () => {
      const { boundedMarkdown } = await import('../../docs/bounded-markdown.ts');
      const { renderMarkdown } = await import('../../docs/render-markdown.ts');
      return (text) => renderMarkdown(boundedMarkdown(text));
    },
    shapes: {
      ...characters('*_`~|#-+=>!\\&\t'),
      ...filled({
        'lists in one line': '- ',
        numbers: '1. ',
        'quotes in one line': '> ',
        tables: '|a',
        emphasis: '*a **a ',
        closing: 'a** ',
      }),
      ...filled({ links: '[a](b', images: '![', references: '[a][b]', definitions: '[a]: b\n', addresses: 'www.a' }),
      ...filled({ comments: '<!--', tags: '<a ', declarations: '<!A', headings: '## a\n', mail: 'a@b.' }),
      'nested emphasis': (length) => `${'*a **a '.repeat(length / 14)}${'b** b* '.repeat(length / 14)}`,
      'nested lists': (length) => indented(length, '- a'),
      'nested quotes': (length) => `${'>'.repeat(length / 2)}${'a\n'.repeat(length / 4)}`,
      'code spans of all lengths': (length) => growing(length, 'a', '`'),
    },
  },
  JSON: {
    load: async () => {
      const { requireModestJson } = await import('../../platform/json-shape.ts');
      return (text) => {
        requireModestJson(Buffer.from(text));
        return JSON.parse(text);
      };
    },
    shapes: { ...characters('\\{,:'), escapes: filledWith('\\"'), strings: filledWith('"\\\\",') },
  },
  'GraphQL document': {
    load: async () => {
      const { DEFAULT_DOCUMENT_LIMITS, DocumentCache } = await import('@reelgraph/sql-planner');
      const { buildSchema } = await import('graphql');
      const documents = new DocumentCache(
        buildSchema('type Query { a(b: String, c: [Int]): Query d: Int }'),
        DEFAULT_DOCUMENT_LIMITS,
      );
      return (text) => documents.find(text, undefined);
    },
    shapes: {
      ...characters('#{,@$&'),
      ...filled({ fields: 'd ', selections: 'a{', strings: '"""', fragments: 'fragment F on Query{d}' }),
      'fields of an operation': (length) => `{${'d '.repeat(length / 2)}}`,
      'other fields': (length) => `{${Array.from({ length: length / 5 }, (_, n) => `x${n}`).join(' ')}}`,
      'fields under other names': (length) => `{${Array.from({ length: length / 7 }, (_, n) => `x${n}:d`).join(' ')}}`,
      arguments: (length) => `{a(${'b:1 '.repeat(length / 4)}){d}}`,
      'a list': (length) => `{a(c:[${'1 '.repeat(length / 2)}]){d}}`,
      variables: (length) => `query(${Array.from({ length: length / 9 }, (_, n) => `$v${n}:Int`).join(' ')}){d}`,
      directives: (length) => `{d ${'@a '.repeat(length / 3)}}`,
    },
  },
  'search in the documentation': {
    load: async () => {
      const { plain } = await import('../../docs/doc-page.ts');
      return plain;
    },
    shapes: filled({ links: '[a](b', brackets: '[' }),
  },
  'text in HTML': {
    load: async () => (await import('../../kernel/html.ts')).escapeHtml,
    shapes: characters('&>'),
  },
  'texts of captions that are translated': {
    load: async () => {
      const { readTranslations } = await import('../../../../packages/captions/src/read-translations.ts');
      return (text) => {
        const content = `\`\`\`json${JSON.stringify({ translations: [text] })}\`\`\``;
        return readTranslations(JSON.stringify({ choices: [{ message: { content } }] }), [text]);
      };
    },
  },
  'speech as words': {
    load: async () => {
      const { dividedText } = await import('../../../../packages/captions/src/spoken-text.ts');
      return (text) => dividedText(text, 42);
    },
    shapes: filled({ words: 'a ', ideographs: '漢', 'many spaces': 'a        ' }),
  },
} as const satisfies Readonly<Record<string, TextParser>>;

/** Lines that are indented further and further. */
function indented(length: number, line: string): string {
  let text = '';
  for (let depth = 0; text.length < length; depth += 1) text += `${'  '.repeat(depth)}${line}\n`;
  return text;
}

/** Runs of a character, each longer than the one before. */
function growing(length: number, between: string, character: string): string {
  let text = '';
  for (let count = 1; text.length < length; count += 1) text += between + character.repeat(count);
  return text;
}

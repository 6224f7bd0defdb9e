import { glob, readFile } from 'node:fs/promises';
import { posix } from 'node:path';

const FILES = [
  '*.md',
  '{bench,cli,clients,deploy,docs,e2e,scripts,server,packages,web}/**/*.{ts,tsx,mjs,cjs,md,graphql,html}',
];
/** Generated text, records of the past, and this list. */
const EXCLUDED =
  /node_modules|(^|\/)dist\/|\.gen\.ts$|\/generated\/|^docs\/(versions|progress|examples)\/|^scripts\/checks\/phrases(\.test)?\.ts$/;

/**
 * Phrases with an established term, which is used instead (docs/decisions/0054-the-words-of-the-field.md). Not ordinary
 * words.
 */
const PHRASES: readonly (readonly [phrase: RegExp, instead: string])[] = [
  [/house rules?/, 'architecture checks'],
  [/agents' door|test doors?/, 'entry point or client surface'],
  [/event hub|message mailbox/, 'subscription broker or message bus'],
  [/older spellings?/, 'deprecated names'],
  [/\w+ anew/, 'again, or a verb such as rebuild'],
  [/learnt/, 'learned'],
  [/unasked/, 'automatically'],
  [/(by|for|to|of) nobody else/, 'only'],
  [/(is|are|was|were) told (where|of|so)/, 'gets, is notified or receives'],
  [/will be tried again/, 'will be retried'],
  [/unless (it says otherwise|told)/, 'defaults to'],
  [/left out or null/, 'omitted or null'],
  [/repeating (it|them) changes nothing/, 'idempotent'],
  [/what became of/, 'result'],
  [/filed under/, 'assigned to a category or genre'],
  [/sound alone/, 'audio only'],
  [/nobody (knows|said)/, 'unknown or not specified'],
  [/clicked on on/, 'clicked'],
  [/too dear/, 'too expensive'],
  [/broken off by/, 'cancelled by'],
  [/(give|gives|gave|given) its room/, 'release the reservation'],
  [/for want of/, 'for lack of'],
  [/in place of the former/, 'replacing the previous'],
  [
    /how will it do\?|not said|take it from the video|also take back what they wrote|say the first word/,
    'what YouTube Studio or GitHub writes',
  ],
];

/** Phrases with an established term, one line each: file, line, phrase and term. */
export async function findPhrases(): Promise<string[]> {
  const found: string[] = [];
  for await (const path of glob(FILES, { exclude: (entry) => entry.endsWith('node_modules') })) {
    const file = posix.normalize(path);
    if (!EXCLUDED.test(file)) found.push(...phrasesIn(file, await readFile(path, 'utf8')));
  }
  return found.sort();
}

/** As {@link findPhrases}, in one text; a phrase may span lines of a comment or paragraph. */
export function phrasesIn(file: string, text: string): string[] {
  return PHRASES.flatMap(([phrase, instead]) => {
    const pattern = new RegExp(`\\b(?:${phrase.source.replaceAll(' ', '(?:\\s+(?:\\*|//)?\\s*)')})`, 'gi');
    return Array.from(text.matchAll(pattern), ({ 0: match, index }) => {
      const line = text.slice(0, index).split('\n').length;
      return `${file}:${line} says "${match.replaceAll(/\s+(?:\*|\/\/)?\s*/g, ' ')}": write ${instead}`;
    });
  });
}

import { Command, Option } from '@commander-js/extra-typings';
import type { Connection } from '../../../clients/typescript/src/index.ts';
import { contextOf } from '../context.ts';
import { clock } from '../format.ts';
import { noteRest, readList } from '../lists.ts';
import { examples, instant, limitOption } from '../options.ts';
import type { ListRow, Terminal } from '../terminal.ts';
import { oneLine } from '../terminal.ts';
import { findTerms } from '../terms.ts';

const SEARCH = `query CliSearch(
  $query: String! $types: [SearchType!] $filter: SearchFilter $first: Int $after: String
) {
  search(query: $query, types: $types, filter: $filter, first: $first, after: $after) {
    totalCount pageInfo { hasNextPage endCursor } edges { cursor node {
      id type score highlights { title { text matched } summary { text matched } }
      content { id kind publishedAt viewCount metadata { title duration } channel { id handle } }
      channel { id handle followersCount metadata { name } }
      playlist { id itemsCount metadata { title } channel { id handle } }
    } }
  }
}`;
const TYPES = ['CONTENT', 'CHANNEL', 'PLAYLIST'] as const;
const KINDS = ['FEATURE', 'SHORT', 'SERIES', 'SEASON', 'EPISODE', 'MINISERIES', 'STREAM'] as const;
const LENGTHS = ['SHORT', 'MEDIUM', 'LONG'] as const;

interface Part {
  readonly text: string;
  readonly matched: boolean;
}
interface Hit {
  readonly id: string;
  readonly type: string;
  readonly score: number;
  readonly highlights: { readonly title: readonly Part[]; readonly summary: readonly Part[] };
  readonly content: {
    readonly id: string;
    readonly kind: string;
    readonly metadata: { readonly title: string; readonly duration: number | null };
    readonly channel: { readonly handle: string };
  } | null;
  readonly channel: { readonly id: string; readonly handle: string } | null;
  readonly playlist: {
    readonly id: string;
    readonly itemsCount: number;
    readonly channel: { readonly handle: string };
  } | null;
}

/** Finds what is public. */
export const search = new Command('search')
  .summary('Search contents, channels and playlists')
  .description(
    'Search contents, channels and playlists that are public, best first. Filters of contents find contents only.',
  )
  .argument('<WORD...>', 'What to search for')
  .addOption(new Option('-t, --type <TYPE...>', 'Only these types of results').choices(TYPES))
  .addOption(new Option('-k, --kind <KIND...>', 'Only contents of these kinds').choices(KINDS))
  .option('-c, --channel <CHANNEL>', 'Only results of this channel, by its handle or identifier')
  .option('--category <CATEGORY...>', 'Only contents of these categories, by their names or identifiers')
  .option('--genre <GENRE...>', 'Only contents of these genres, by their names or identifiers')
  .option('-l, --language <LANGUAGE>', 'Only contents in this language, such as de or pt-BR')
  .addOption(new Option('--length <LENGTH>', 'Only videos of this length').choices(LENGTHS))
  .option('--after <TIME>', 'Only contents published at or after this time', instant)
  .option('--before <TIME>', 'Only contents published before this time', instant)
  .addOption(limitOption)
  .addHelpText(
    'after',
    examples(
      'reelgraph search quiet morning',
      'reelgraph search bread --type CONTENT --length LONG --after 2026-01-01',
      'reelgraph search bread --channel @studio --json',
    ),
  )
  .action(async (words, { type: types, kind: kinds, channel, category, genre, limit, ...options }, command) => {
    const context = contextOf(command);
    const client = await context.client();
    const { after: publishedAfter, before: publishedBefore, ...others } = options;
    const filter = {
      ...others,
      kinds,
      publishedAfter,
      publishedBefore,
      channel: await context.channelId(client, channel),
      categories: await findTerms(context, 'categories', category),
      genres: await findTerms(context, 'genres', genre),
    };
    const isFiltered = Object.values(filter).some((value) => value !== undefined);
    const found = await readList(
      client.paginate<Connection<Hit>, { readonly search: Connection<Hit> }>(
        SEARCH,
        { query: words.join(' '), types, ...(isFiltered ? { filter } : {}) },
        (data) => data.search,
        { limit, signal: context.signal },
      ),
    );
    context.result({ totalCount: found.totalCount, results: found.nodes }, (out) =>
      out.list(
        found.nodes.map((hit) => hitRow(out, hit)),
        (text, row) => highlighted(out, text, found.nodes[row]?.highlights.title ?? []),
      ),
    );
    noteRest(context, found, 'Nothing was found.');
  });

function hitRow(out: Terminal, { id, type, highlights, content, channel, playlist }: Hit): ListRow {
  const title = highlights.title.map(({ text }) => text).join('');
  const owner = content?.channel ?? channel ?? playlist?.channel;
  return [
    content?.id ?? channel?.id ?? playlist?.id ?? id,
    out.style('cyan', content?.kind ?? type),
    clock(content?.metadata.duration ?? null),
    owner ? `@${owner.handle}` : '',
    title,
  ];
}

/** The text, or the start of it that is shown, with its matches in bold. */
function highlighted(out: Terminal, shown: string, parts: readonly Part[]): string {
  let [text, rest] = ['', shown];
  for (const part of parts.map((one) => ({ ...one, text: oneLine(one.text, false) }))) {
    const length = Math.min(part.text.length, rest.length);
    text += part.matched ? out.style('bold', rest.slice(0, length)) : rest.slice(0, length);
    rest = rest.slice(length);
  }
  return text + rest;
}

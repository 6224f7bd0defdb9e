import type { Client, Connection } from '../../../../clients/typescript/src/index.ts';
import { clock } from '../../format.ts';
import { readList } from '../../lists.ts';
import type { ListRow, Terminal } from '../../terminal.ts';

/** A series, a season or an episode. */
export interface SeriesPart {
  readonly id: string;
  readonly kind: string;
  readonly status: string;
  readonly publishedAt: string | null;
  readonly metadata: {
    readonly title: string;
    readonly number: number | null;
    readonly duration: number | null;
    readonly visibility: string;
    readonly releaseDate: string | null;
  };
  readonly children?: readonly SeriesPart[];
}

const PART = 'id kind status publishedAt metadata { title number duration visibility releaseDate }';
const PAGE = `totalCount pageInfo { hasNextPage endCursor } edges { cursor node { ${PART} } }`;
const ROOT = `query CliSeries($id: DID!) { content(id: $id) { ${PART} } }`;
/** Members see every state, everyone else what is published. */
const CHILDREN = `query CliSeriesParts($id: DID!, $first: Int, $after: String) { content(id: $id) {
  children(first: $first, after: $after) { ${PAGE} }
  ... on Serie { seasons(first: $first, after: $after) { ${PAGE} } }
  ... on Season { episodes(first: $first, after: $after) { ${PAGE} } }
  ... on Miniseries { episodes(first: $first, after: $after) { ${PAGE} } }
} }`;

type Parts = Connection<SeriesPart>;
interface Children {
  readonly content: { readonly children: Parts | null; readonly seasons?: Parts; readonly episodes?: Parts };
}

/** A series, miniseries or season with everything in it. */
export async function readSeries(client: Client, id: string, signal: AbortSignal): Promise<SeriesPart> {
  const { content } = await client.request<{ content: SeriesPart }>(ROOT, { id }, { signal });
  return withChildren(client, content, signal);
}

async function withChildren(client: Client, part: SeriesPart, signal: AbortSignal): Promise<SeriesPart> {
  if (part.kind === 'EPISODE') return part;
  const pages = client.paginate<Parts, Children>(
    CHILDREN,
    { id: part.id },
    ({ content }) => content.children ?? content.seasons ?? content.episodes,
    { pageSize: 100, signal },
  );
  const children: SeriesPart[] = [];
  for (const child of (await readList(pages)).nodes) children.push(await withChildren(client, child, signal));
  return { ...part, children };
}

/** The part and everything in it, in order. */
export function partsOf(part: SeriesPart): SeriesPart[] {
  return [part, ...(part.children ?? []).flatMap(partsOf)];
}

/** Everything in a series as rows: number, state, length and title, which is indented. */
export function seriesRows(out: Terminal, { children = [] }: SeriesPart, parent = ''): ListRow[] {
  return children.flatMap((part) => {
    const { id, kind, status, metadata, publishedAt } = part;
    const number = `${parent}${kind === 'SEASON' ? 'S' : 'E'}${metadata.number ?? '?'}`;
    const isScheduled = status === 'READY' && publishedAt === null && metadata.releaseDate !== null;
    const state = isScheduled ? 'SCHEDULED' : status;
    const title = `${parent === '' ? '' : '  '}${metadata.title}`;
    const row: ListRow = [
      id,
      number,
      out.style(status === 'PUBLISHED' ? 'green' : 'yellow', state),
      clock(metadata.duration),
      title,
    ];
    return [row, ...seriesRows(out, part, number)];
  });
}

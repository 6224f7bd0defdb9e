import type { EntityRef, Graph } from '../../../gql/index.ts';
import { CONTENT_KIND_NAMES, CONTENT_KINDS, type ContentKind } from '../../../kernel/content-kinds.ts';
import { isVisibleContent } from '../contents/content-visibility.sql.ts';
import { grandparentOf } from './content-parts.sql.ts';
import type { ContentParts } from './content-types.graphql.ts';
import {
  audienceFields,
  declareKindMetadata,
  episodeFields,
  type Fields,
  serieFields,
  streamFields,
} from './metadata.graphql.ts';

/** The name of the type of each kind of content. */
export type KindType = (typeof CONTENT_KINDS)[ContentKind]['type'];
/** The types of the kinds of content. */
export type KindTypes = Readonly<Record<KindType, EntityRef>>;

/** Declares the type of each kind, which is a Content, and the fields that link containers and their children. */
export function declareKindTypes(
  graph: Graph,
  Content: EntityRef,
  ContentMetadata: EntityRef,
  { enums }: ContentParts,
): KindTypes {
  const metadata: Readonly<Record<ContentKind, readonly Fields[]>> = {
    FEATURE: [],
    SHORT: [],
    SERIES: [serieFields],
    SEASON: [],
    EPISODE: [episodeFields],
    MINISERIES: [audienceFields(enums)],
    STREAM: [streamFields(enums), audienceFields(enums)],
  };
  const declareKind = (kind: ContentKind): [KindType, EntityRef] => {
    const { type, did, is } = CONTENT_KINDS[kind];
    const Metadata = declareKindMetadata(graph, `${type}Metadata`, ContentMetadata, metadata[kind]);
    const Kind = graph.entity(type, {
      description: is,
      table: 'contents',
      interfaces: [Content],
      node: { kinds: [did], where: (child, s) => `${child}.kind = '${kind}' and ${isVisibleContent(child, s)}` },
      fields: (f) => ({
        metadata: f.embed({ type: Metadata, description: 'Its title and descriptive texts.' }),
      }),
    });
    return [type, Kind];
  };
  const types = Object.fromEntries(CONTENT_KIND_NAMES.map(declareKind)) as unknown as KindTypes; // loses the keys
  connectSeries(graph, types);
  graph.extend(types.Feature, (f) => ({
    convertJobId: f.column({
      type: 'Int',
      nullable: true,
      description: 'Always null: the ids of jobs are no numbers. `transcodeJob` has the latest job.',
      sql: () => 'null::int',
    }),
  }));
  return types;
}

/**
 * The published, public children of a container, in order. A hidden container needs no check: only members reach its
 * list.
 */
function connectSeries(graph: Graph, { Serie, Season, Episode, Miniseries }: KindTypes): void {
  const below = (field: 'seasons' | 'episodes', type: EntityRef): Fields => {
    return (f) => ({
      [field]: f.connection({
        type,
        description: `Its published, public ${field} in the order of their numbers.`,
        where: (child, s) =>
          `${child}.parent_id = ${s.t}.id and ${child}.status = 'PUBLISHED' and ` +
          `${child}.visibility = 'PUBLIC' and ${child}.deleted_at is null`,
        order: { by: (child) => [`${child}.number`, `${child}.id`], direction: 'asc' },
        total: (s) => `counter_value('children:shown', ${s.t}.id)`,
      }),
    });
  };
  const above = (kind: ContentKind, row: string, child: string) =>
    `${child}.id = ${row}.parent_id and ${child}.kind = '${kind}'`;
  graph.extend(Serie, below('seasons', Season));
  graph.extend(Season, below('episodes', Episode));
  graph.extend(Miniseries, below('episodes', Episode));
  graph.extend(Season, (f) => ({
    associatedSeries: f.one({
      type: Serie,
      nullable: true,
      description: 'The series of this season; null while it is hidden from the viewer.',
      on: (c, s) => `${above('SERIES', s.t, c)} and ${isVisibleContent(c, s)}`,
    }),
  }));
  graph.extend(Episode, (f) => ({
    associatedSeries: f.one({
      type: Serie,
      nullable: true,
      description: 'The series of this episode; null for episodes of a miniseries.',
      on: (c, s) => `${c}.id = ${grandparentOf(s.t)} and ${isVisibleContent(c, s)}`,
    }),
    associatedSeason: f.one({
      type: Season,
      nullable: true,
      description: 'The season of this episode; null for episodes of a miniseries.',
      on: (c, s) => `${above('SEASON', s.t, c)} and ${isVisibleContent(c, s)}`,
    }),
    associatedMiniseries: f.one({
      type: Miniseries,
      nullable: true,
      description: 'The miniseries of this episode; null for episodes of a season.',
      on: (c, s) => `${above('MINISERIES', s.t, c)} and ${isVisibleContent(c, s)}`,
    }),
  }));
}

import type { EntityRef, Graph, RequestEnv } from '../../../gql/index.ts';
import { type Addressed, contentEmbedPath, contentPagePath } from '../../../kernel/content-kinds.ts';
import { handlePath } from '../../../kernel/handles.ts';
import { MASTER_PLAYLIST } from '../../assets/index.ts';
import { shownChapters } from '../chapters/chapters.ts';
import { type DescribedRow, describedRow } from './structured-data.sql.ts';
import { structuredData } from './structured-data.ts';

/** Declares `structuredData` of contents. */
export function declareStructuredData(graph: Graph, Content: EntityRef): void {
  graph.extend(Content, (f) => ({
    structuredData: f.column({
      type: 'JSON',
      nullable: true,
      description:
        'Structured data for search engines: JSON-LD in the vocabulary of schema.org. Null unless it is public.',
      sql: (s) => describedRow(s.t),
      read: ([row]: [DescribedRow | null], env) => (row === null ? null : described(row, env)),
    }),
  }));
}

function described(row: DescribedRow, env: RequestEnv) {
  const media = (key: string | null) =>
    key === null ? null : env.services.assets.mediaAddress(key, 'OPEN', env.nowMs);
  const page = (content: Addressed) => env.baseUrl + contentPagePath(content);
  const { id, kind, title, summary, keywords, duration, language, number, age, genres, channel, parents } = row;
  const { broadcast } = row;
  const embedPath = contentEmbedPath(kind, id);
  return structuredData({
    kind,
    title,
    summary,
    keywords,
    url: page(row),
    publishedAt: new Date(Number(row.published)).toISOString(),
    durationMs: duration,
    chapters: shownChapters({ set: row.chapters, description: row.description, durationMs: duration }),
    thumbnailUrl: media(row.picture ?? row.frame),
    contentUrl: media(row.manifests && row.manifests + MASTER_PLAYLIST),
    embedUrl: embedPath === null ? null : env.baseUrl + embedPath,
    broadcast: broadcast && {
      startsAt: new Date(broadcast.startMs).toISOString(),
      endedAt: broadcast.endMs === null ? null : new Date(broadcast.endMs).toISOString(),
    },
    genres,
    language,
    minimumAge: age,
    number,
    channel: { name: channel.name, url: env.baseUrl + handlePath(channel.handle) },
    parents: parents.map((parent) => ({ ...parent, url: page(parent) })),
  });
}

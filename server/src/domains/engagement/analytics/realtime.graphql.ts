import type { EntityRef, FieldDeclaration, FieldFactory, Graph, RequestEnv, RowScope } from '../../../gql/index.ts';
import { CONTENT_KINDS, type ContentKind } from '../../../kernel/content-kinds.ts';
import type { Subject } from './analytics.sql.ts';
import { ANALYTICS_COST } from './numbers.graphql.ts';
import { realtimeSql } from './realtime.sql.ts';

/** Declares the field realtime, for a channel and for parts of it. */
export function declareRealtime(
  graph: Graph,
): (f: FieldFactory, subject: (s: RowScope) => Subject) => FieldDeclaration {
  const Realtime = declareTypes(graph);
  return (f, subject) =>
    f.column({
      type: Realtime,
      description: 'Views of the last hour and of the last 48 hours. They appear within seconds.',
      cost: ANALYTICS_COST.OVERVIEW,
      sql: (s: RowScope) => realtimeSql(s, subject(s)),
      read: readRealtime,
    });
}

function declareTypes(graph: Graph): EntityRef {
  const Point = graph.object('RealtimePoint', {
    description: 'A minute or an hour.',
    fields: (f) => ({
      at: f.value({ type: 'DateTime', description: 'When it begins.' }),
      views: f.value({ type: 'BigInt', description: 'Views.' }),
    }),
  });
  const Content = graph.object('RealtimeContent', {
    description: 'A content that was viewed in the last 48 hours.',
    fields: (f) => ({
      id: f.value({ type: 'DID', description: 'Id of the content.' }),
      title: f.value({ type: 'String', description: 'Its title.' }),
      views: f.value({ type: 'BigInt', description: 'Views in the last 48 hours.' }),
    }),
  });
  return graph.object('RealtimeAnalytics', {
    description: 'Views of the last minutes and hours.',
    fields: (f) => ({
      lastHourViews: f.value({ type: 'BigInt', description: 'Views in these minutes.' }),
      minutes: f.value({
        type: [Point],
        description: 'One for each of the last 60 minutes, oldest first; the last one is not over.',
      }),
      last48HoursViews: f.value({ type: 'BigInt', description: 'Views in these hours.' }),
      hours: f.value({
        type: [Point],
        description: 'One for each of the last 48 hours, oldest first; the last one is not over.',
      }),
      contents: f.value({ type: [Content], description: 'Contents with most views in these hours; at most 10.' }),
    }),
  });
}

interface PointRow {
  readonly at: string;
  readonly views: number;
}

interface RealtimeRow {
  readonly minutes: readonly PointRow[];
  readonly hours: readonly PointRow[];
  readonly contents: readonly { id: string; kind: ContentKind; title: string; views: number }[];
}

function readRealtime([row]: [RealtimeRow], env: RequestEnv): Record<string, unknown> {
  const points = (rows: readonly PointRow[]) =>
    rows.map(({ at, views }) => ({ at: new Date(at).toISOString(), views }));
  const sum = (rows: readonly PointRow[]) => rows.reduce((all, { views }) => all + views, 0);
  return {
    lastHourViews: sum(row.minutes),
    minutes: points(row.minutes),
    last48HoursViews: sum(row.hours),
    hours: points(row.hours),
    contents: row.contents.map(({ id, kind, title, views }) => ({
      id: env.did(CONTENT_KINDS[kind].did, id),
      title,
      views,
    })),
  };
}

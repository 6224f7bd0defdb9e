import { publicPayload, subjectDid } from '../../../server/src/domains/integrations/events/event-subject.ts';
import { DID_KINDS, type DidKind } from '../../../server/src/gql/index.ts';
import type { ContentKind } from '../../../server/src/kernel/content-kinds.ts';
import { type EventType, eventTypeName } from '../../../server/src/kernel/event-types.ts';
import { type Handler, query, VIEWER } from './database.ts';
import { cursor, did, uuidOf } from './values.ts';

const EVENTS = `${VIEWER}
  select u.access_until, m.role is not null as own, e.uid, e.type, e.channel_id, e.subject_id, e.payload, e.created_at,
    e.xact::text as xact, e.id::text as id, e.created_at::text as exact,
    (select k.kind from contents k where k.id = coalesce((e.payload ->> 'contentId')::uuid,
      e.subject_id)) as content_kind
  from u left join channel_members m on m.channel_id = $2 and m.account_id = u.account_id
  left join lateral (select * from events e where e.channel_id = m.channel_id
    and e.xact < pg_snapshot_xmin(pg_current_snapshot())
    order by e.xact desc, e.id desc limit 26) e on true
  order by e.xact, e.id`;

interface EventRow {
  readonly own: boolean;
  readonly uid: string | null;
  readonly type: EventType;
  readonly channel_id: string;
  readonly subject_id: string;
  readonly payload: Readonly<Record<string, unknown>>;
  readonly created_at: string;
  readonly xact: string;
  readonly id: string;
  readonly exact: string;
  readonly content_kind: ContentKind | null;
}

const namer = { did: (kind: DidKind, id: string) => did(DID_KINDS[kind], id) };

/** The latest 25 events of a channel. */
export const events: Handler = async (key, { channel }) => {
  const rows = await query<EventRow>('events', EVENTS, [key, uuidOf(channel)]);
  if (!rows?.[0]?.own) return null;
  const page = rows.filter(({ uid }) => uid !== null).slice(-25);
  const edges = page.map((row) => {
    const facts = { type: row.type, subjectId: row.subject_id, payload: row.payload, contentKind: row.content_kind };
    const node = {
      id: did('event', row.uid ?? ''),
      type: eventTypeName(row.type),
      channelId: did('channel', row.channel_id),
      subject: subjectDid(facts, namer),
      payload: publicPayload(facts, namer),
      createdAt: row.created_at,
      cursor: cursor(row.xact, row.id, row.exact),
    };
    return { node };
  });
  return {
    events: { edges, pageInfo: { hasPreviousPage: rows.length > 25, startCursor: edges[0]?.node.cursor ?? null } },
  };
};

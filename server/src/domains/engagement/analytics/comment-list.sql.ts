import type { ArgScope, RowScope, Selects } from '../../../gql/index.ts';
import { avatarKeyOf } from '../../assets/index.ts';
import { readCursor, readFirst } from './page-arguments.ts';

export const USUAL_PAGE = 25;
/** Most that totalCount counts. */
export const MOST_COUNTED = 10_000;

/** When a comment was written, and its id: what continues the list. */
type Position = readonly [at: string, id: string];

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

function isPosition(parts: readonly unknown[]): parts is Position {
  const [at, id] = parts;
  return typeof at === 'string' && !Number.isNaN(Date.parse(at)) && typeof id === 'string' && UUID.test(id);
}

/** SQL: JSON array of one comment more than a page has, newest first; and the number of all, if it is selected. */
export function commentsSql(s: RowScope, args: ArgScope, selects: Selects): string[] {
  const total = `(select count(*) from (select 1 from ${listed(s)} limit ${MOST_COUNTED}) t)::integer`;
  return [pageSql(s, args), selects('totalCount') ? total : 'null::integer'];
}

function pageSql(s: RowScope, args: ArgScope): string {
  const size = args.compute(({ first }) => readFirst(first, USUAL_PAGE), 'integer');
  const at = args.compute(({ after }) => readCursor(after, isPosition)?.[0] ?? null, 'timestamptz');
  const id = args.compute(({ after }) => readCursor(after, isPosition)?.[1] ?? null, 'uuid');
  return `(select coalesce(json_agg(json_build_object('id', m.id, 'at', m.created_at, 'body', m.body,
      'isReply', m.parent_id is not null, 'username', a.username, 'authorChannel', a.primary_channel_id,
      'avatar', ${avatarKeyOf('a.primary_channel_id')}, 'contentId', c.id, 'kind', c.kind,
      'shortCode', c.short_code, 'title', c.title,
      'isLast', m.place = ${size}, 'isBeyond', m.place > ${size}) order by m.place), '[]')
    from (select m.*, row_number() over (order by m.created_at desc, m.id desc) as place from ${listed(s)}
        and (${at} is null or (m.created_at, m.id) < (${at}, ${id}))
      order by m.created_at desc, m.id desc limit ${size} + 1) m
    join contents c on c.id = m.content_id left join accounts a on a.id = m.account_id)`;
}

/** SQL: the published comments `m` on contents of the channel that are not in the trash, as a FROM clause. */
function listed(s: RowScope): string {
  return `comments m join contents k on k.id = m.content_id and k.deleted_at is null
      where m.channel_id = ${s.t}.id and m.status = 'PUBLISHED' and m.deleted_at is null`;
}

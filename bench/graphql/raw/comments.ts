import { type Handler, query, VIEWER } from './database.ts';
import { cursor, did, uuidOf } from './values.ts';

const visible = (c: string) =>
  `(${c}.status = 'PUBLISHED' or ${c}.account_id = u.account_id ` +
  `or coalesce(k.role in ('EDITOR', 'MANAGER', 'OWNER'), false))`;
/** Columns of the comment `c` by the account `a`, with a letter as prefix. */
const columns = (c: string, a: string, n: string) =>
  `${c}.id as ${n}id, case when ${visible(c)} then ${c}.body else '' end as ${n}body,
    ${c}.created_at as ${n}created_at, ${c}.edited_at as ${n}edited_at, ${c}.depth as ${n}depth,
    ${c}.pin as ${n}pin, ${c}.hearted as ${n}hearted, ${c}.likes_count as ${n}likes,
    a${a}.primary_channel_id as ${n}author, a${a}.username as ${n}username, ${c}.liked as ${n}liked`;
const liked = (c: string) =>
  `exists (select 1 from comment_likes l where l.comment_id = ${c}.id and l.account_id = u.account_id)`;

const THREADS = `${VIEWER}, k as (select k.id, m.role from u join contents k on k.id = $2 left join channel_members m
  on m.channel_id = k.channel_id and m.account_id = u.account_id
    where k.deleted_at is null and (k.effective_visibility <> 'PRIVATE' or m.role is not null))
  select u.access_until, n.total, c.replies, ${columns('c', '1', 'c_')}, ${columns('r', '2', 'r_')}
  from u left join k on true left join lateral (select counter_value('content:threads', k.id) as total) n on true
  left join lateral (select c.*, counter_value('comment:replies', c.id) as replies, ${liked('c')} as liked
    from comments c where c.content_id = k.id and c.parent_id is null and c.listed order by c.pin desc,
    c.created_at desc, c.id desc limit 21) c on true
  left join accounts a1 on a1.id = c.account_id and ${visible('c')}
  left join lateral (select r.*, ${liked('r')} as liked from comments r where r.parent_id = c.id and r.listed
    order by r.created_at, r.id limit 2) r on true
  left join accounts a2 on a2.id = r.account_id and ${visible('r')}
  order by c.pin desc, c.created_at desc, c.id desc, r.created_at, r.id`;

interface CommentColumns {
  readonly id: string | null;
  readonly body: string;
  readonly created_at: string;
  readonly edited_at: string | null;
  readonly depth: number;
  readonly pin: number;
  readonly hearted: boolean;
  readonly likes: number;
  readonly author: string | null;
  readonly username: string;
  readonly liked: boolean;
}

type Named<Prefix extends string> = {
  readonly [Name in keyof CommentColumns as `${Prefix}${Name}`]: CommentColumns[Name];
};
type ThreadRow = Named<'c_'> & Named<'r_'> & { readonly total: number; readonly replies: number };

/** 20 threads with two replies each. */
export const threads: Handler = async (key, { id }) => {
  const rows = await query<ThreadRow>('threads', THREADS, [key, uuidOf(id)]);
  if (!rows) return null;
  const all: { row: ThreadRow; replies: object[] }[] = [];
  for (const row of rows) {
    if (row.c_id === null) continue;
    if (all.at(-1)?.row.c_id !== row.c_id) all.push({ row, replies: [] });
    if (row.r_id !== null) all.at(-1)?.replies.push({ node: replyOf(row) });
  }
  const page = all.slice(0, 20);
  const last = page.at(-1)?.row;
  return {
    comments: {
      edges: page.map(({ row, replies }) => ({
        node: { ...threadOf(row), replies: { edges: replies, totalCount: row.replies } },
      })),
      pageInfo: {
        hasNextPage: all.length > 20,
        endCursor: last ? cursor(String(last.c_pin), last.c_created_at, last.c_id ?? '') : null,
      },
      totalCount: rows[0]?.total,
    },
  };
};

function threadOf(row: ThreadRow): object {
  return {
    id: did('comment', row.c_id ?? ''),
    body: row.c_body,
    createdAt: row.c_created_at,
    editedAt: row.c_edited_at,
    depth: row.c_depth,
    isPinned: row.c_pin === 1,
    isHearted: row.c_hearted,
    author: row.c_author === null ? null : { id: did('channel', row.c_author), username: row.c_username },
    likes: { count: row.c_likes, isLiked: row.c_liked },
  };
}

function replyOf(row: ThreadRow): object {
  return {
    id: did('comment', row.r_id ?? ''),
    body: row.r_body,
    createdAt: row.r_created_at,
    editedAt: row.r_edited_at,
    depth: row.r_depth,
    isPinned: row.r_pin === 1,
    isHearted: row.r_hearted,
    author: row.r_author === null ? null : { id: did('channel', row.r_author), username: row.r_username },
    likes: { count: row.r_likes, isLiked: row.r_liked },
  };
}

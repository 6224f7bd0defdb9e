import { type Handler, query, VIEWER } from './database.ts';
import { did, uuidOf } from './values.ts';

const UPDATE = `${VIEWER}, target as (select c.id, c.channel_id, c.status, c.title, c.updated_at,
  coalesce(m.role in ('EDITOR', 'MANAGER', 'OWNER'), false) as owned,
  c.status = 'PUBLISHED' and c.visibility <> 'PRIVATE' as open
    from u join contents c on c.id = $2 and c.kind = $3 and c.deleted_at is null left join channel_members m
      on m.channel_id = c.channel_id and m.account_id = u.account_id
    where u.access_until > now() and u.plan in ('PREMIUM_PLUS', 'CREATOR_PLUS') for update of c),
  changed as (update contents c set title = coalesce($4, c.title), summary = coalesce($5, c.summary),
    short_summary = coalesce($6, c.short_summary),
      keywords = coalesce($7::text[], c.keywords), visibility = coalesce($8, c.visibility), layout = coalesce($9,
        c.layout), updated_at = now()
    from target t where c.id = t.id and t.owned and t.status in ('DRAFT', 'PROCESSING', 'READY', 'FAILED', 'PUBLISHED')
    returning c.id, c.status, c.title, c.updated_at, c.channel_id),
  event as (insert into events (type, channel_id, subject_id) select 'content.updated', channel_id, id from changed),
  action as (insert into api_key_audit_log (account_id, id, at, via, agent, operation, subject, outcome)
    select u.account_id, uuidv7(), now(), 'API', $10, 'updateContent', $11, 'OK' from u join changed on true)
  select u.account_id, u.access_until, (select owned from target) as owned, (select open from target) as open,
    (select status from target) as before,
    t.id, coalesce(changed.status, t.status) as status, coalesce(changed.title, t.title) as title,
    coalesce(changed.updated_at, t.updated_at) as updated_at
  from u left join target t on t.owned left join changed on true`;

interface ChangedRow {
  /** Null if it may not be changed. The same title again changes nothing. */
  readonly id: string | null;
  readonly status: string;
  readonly title: string;
  readonly updated_at: string;
}

/** Changes the title of a feature. */
export const update: Handler = async (key, { id, title }) => {
  const values = [key, uuidOf(id), 'FEATURE', title, null, null, null, null, null, 'bench', id];
  const row = (await query<ChangedRow>('update', UPDATE, values))?.[0];
  if (!row || row.id === null) return null;
  return {
    updateContent: {
      id: did('content/feature', row.id),
      status: row.status,
      metadata: { title: row.title },
      updatedAt: row.updated_at,
    },
  };
};

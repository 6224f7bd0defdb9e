import {
  assignments,
  type BasedOn,
  type CommandScope,
  type CommandTarget,
  insertion,
  NumberedPlaceholders,
  type ViewerScope,
  viewerRow,
} from '../../gql/index.ts';
import { CHANNEL_ROLES, type ChannelRole, PERMISSIONS } from '../../kernel/permissions.ts';
import type { Executor } from '../../platform/db/database.ts';
import { sql } from '../../platform/db/statement.ts';
import type { ChannelAuthority } from './channel.policy.ts';
import { CHANNEL_FIELDS, type ChannelChanges, type ChannelValues } from './channel-fields.ts';
import { isVisibleChannel } from './channel-visibility.sql.ts';
import { type ChannelPermission, channelFacts, roleOfViewer, SCOPED } from './members/membership.sql.ts';

const ROLE = sql(
  'channel_role',
  `select ${roleOfViewer(SCOPED, 'ch.id')} as role from channels ch, ${viewerRow('$2')} ` +
    `where ch.id = $1 and ${isVisibleChannel('ch', SCOPED)}`,
);

/** What the viewer may do with `permission` in the channel; null when there is no such channel. */
export async function findChannelAuthority(
  db: Executor,
  channelId: string,
  viewer: ViewerScope,
  permission: ChannelPermission,
): Promise<ChannelAuthority | null> {
  const row = await db.first<{ role: ChannelRole | null }>(ROLE, [channelId, viewer]);
  if (row === null) return null;
  const least = CHANNEL_ROLES.indexOf(PERMISSIONS[permission].role);
  return { member: row.role !== null, may: row.role !== null && CHANNEL_ROLES.indexOf(row.role) >= least };
}

const placeholders = new NumberedPlaceholders<ChannelValues>(4);
const inserted = insertion(placeholders, CHANNEL_FIELDS, (values) => values);
const INSERT = sql(
  'insert_channel',
  `with added as (
     insert into channels (id, account_id, created_at, updated_at, ${inserted.columns})
     values ($1, $2, $3, $3, ${inserted.values}) on conflict (handle) do nothing returning id, account_id, created_at
   ), kept_id as (
     insert into channel_ids (id) select id from added
   ), owner as (
     insert into channel_members (channel_id, account_id, role, created_at, updated_at)
     select id, account_id, 'OWNER', created_at, created_at from added
   )
   select id from added`,
);

/** Inserts a channel owned by the account; false when the handle is taken. */
export async function insertChannel(
  tx: Executor,
  channel: { readonly id: string; readonly accountId: string; readonly values: ChannelValues },
  nowMs: number,
): Promise<boolean> {
  const { id, accountId, values } = channel;
  return (
    (await tx.first(INSERT, [id, accountId, new Date(nowMs).toISOString(), ...placeholders.values(values)])) !== null
  );
}

const HIDE = sql('hide_of_channel', 'select hide_channel_batch($1, $2) > 0 as hidden');

/** Hides up to `rows` contents or playlists of a channel; returns whether there may be more. */
export async function hideOfChannel(tx: Executor, id: string, rows: number): Promise<boolean> {
  return (await tx.first<{ hidden: boolean }>(HIDE, [id, rows]))?.hidden ?? false;
}

const DELETE = sql('delete_channel', 'delete from channels where id = $1');

/**
 * Deletes the channel with its members and webhooks, and ends its uploads; the rest is hidden, and left to {@link
 * clearDeletedChannel}.
 */
export async function deleteChannelRow(tx: Executor, id: string): Promise<void> {
  await tx.run(DELETE, [id]);
}

/** Rows of a deleted channel that one statement deletes. */
const CLEARED_AT_ONCE = 2_000;
const CLEAR = sql('clear_deleted_channel', 'select purge_channel_batch($1, $2) as cleared');

/** Cleans up one bounded batch of a deleted channel: the given one or the oldest. Returns whether there may be more. */
export async function clearDeletedChannel(
  db: Executor,
  id: string | null = null,
  rows = CLEARED_AT_ONCE,
): Promise<boolean> {
  return (await db.first<{ cleared: boolean }>(CLEAR, [id, rows]))?.cleared ?? false;
}

/** Input of updateChannel. */
export interface ChannelUpdate extends BasedOn {
  readonly id: string;
  readonly changes: ChannelChanges;
}

/** The channel that a command changes, as the viewer sees it. */
export function channelTarget<Input>(
  field: string,
  idOf: (input: Input) => string,
  permission: ChannelPermission,
): CommandTarget<Input> {
  return {
    field,
    from: (s) => `join channels ch on ch.id = ${s.value(idOf, 'uuid')} and ${isVisibleChannel('ch', s)}`,
    columns: (s) => ({ id: 'ch.id', ...channelFacts(s, 'ch.id', permission) }),
  };
}

/** The same, locked: commands that compare its present values run one after another. */
export function locked<Input>(target: CommandTarget<Input>): CommandTarget<Input> {
  return { ...target, from: (s) => `${target.from?.(s) ?? ''} for no key update of ch` };
}

/** The channel of a new object: the named one, or the viewer's own. */
export function givenChannelTarget<Input extends { readonly channel: string | null }>(
  permission: ChannelPermission,
): CommandTarget<Input> {
  return {
    field: 'channel',
    columns: (s) => ({ id: 'ch.id', ...channelFacts(s, 'ch.id', permission) }),
    from: (s) =>
      `join channels ch on ch.id = coalesce(${s.value(({ channel }) => channel, 'uuid')}, ${s.viewer}.channel_id) ` +
      `and ${isVisibleChannel('ch', s)}`,
  };
}

/** SQL: the codecs that the change of a channel asks for. */
const ASKED_CODECS = `to_jsonb(array_remove(array[case when new.encode_av1 and not old.encode_av1 then 'AV1' end,
      case when new.encode_hevc and not old.encode_hevc then 'HEVC' end], null))`;

/** Updates the given fields of a channel. */
export function updateChannelWrites(s: CommandScope<ChannelUpdate>): Readonly<Record<'changed' | 'event', string>> {
  return {
    changed: `
    update channels ch set ${assignments(s, CHANNEL_FIELDS, 'ch', ({ changes }) => changes)}, updated_at = ${s.now}
    from permitted t where ch.id = t.id
    returning ch.*, ${ASKED_CODECS} as asked_codecs`,
    event: `
    insert into events (type, channel_id, subject_id, payload)
    select 'channel.updated', id, id, case asked_codecs when '[]' then '{}'
      else jsonb_build_object('codecs', asked_codecs) end
    from changed`,
  };
}

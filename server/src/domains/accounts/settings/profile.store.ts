import { assignments, NumberedPlaceholders } from '../../../gql/index.ts';
import type { Executor } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/statement.ts';
import { type ProfileChanges, SETTINGS_FIELDS, type SettingsChanges } from './profile-fields.ts';

const PROFILE = sql(
  'update_profile',
  `with account as (
     update accounts set name = coalesce($2, name), updated_at = $4 where id = $1 returning primary_channel_id
   ),
   channel as (
     update channels c set summary = $3, updated_at = $4 from account a
     where c.id = a.primary_channel_id and c.summary <> $3::text returning c.id
   )
   insert into events (type, channel_id, subject_id) select 'channel.updated', id, id from channel`,
);

/** Updates the name of the account and the summary of its own channel; absent fields are unchanged. */
export async function saveProfile(
  db: Executor,
  accountId: string,
  { displayName, bio }: ProfileChanges,
  now: string,
): Promise<void> {
  await db.run(PROFILE, [accountId, displayName ?? null, bio ?? null, now]);
}

const settings = new NumberedPlaceholders<SettingsChanges>(3);
const SETTINGS = sql(
  'update_settings',
  `update account_settings s set ${assignments(settings, SETTINGS_FIELDS, 's', (changes) => changes)}, ` +
    'updated_at = $2 where account_id = $1',
);

/** Updates settings; absent fields are unchanged. */
export async function saveSettings(
  db: Executor,
  accountId: string,
  changes: SettingsChanges,
  now: string,
): Promise<void> {
  await db.run(SETTINGS, [accountId, now, ...settings.values(changes)]);
}

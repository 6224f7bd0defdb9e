import type { Executor } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/statement.ts';
import type { readProfile, readSettings } from './profile-input.ts';

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

/** Writes the name of the account and the summary of its own channel; nulls leave them as they are. */
export async function saveProfile(db: Executor, accountId: string, profile: ReturnType<typeof readProfile>, now: string): Promise<void> {
  await db.run(PROFILE, [accountId, profile.name, profile.bio, now]);
}

const SETTINGS = sql(
  'update_settings',
  `update account_settings set do_not_track = coalesce($2, do_not_track), keep_history = coalesce($3, keep_history),
     language = coalesce($4, language), updated_at = $5 where account_id = $1`,
);

/** Writes settings; nulls leave them as they are. */
export async function saveSettings(db: Executor, accountId: string, settings: ReturnType<typeof readSettings>, now: string): Promise<void> {
  await db.run(SETTINGS, [accountId, settings.doNotTrack, settings.keepHistory, settings.language, now]);
}

import { assignments, NumberedPlaceholders, type PresentValues, presentValues } from '../../../gql/index.ts';
import type { Executor } from '../../../platform/db/database.ts';
import { type Statement, sql } from '../../../platform/db/statement.ts';
import { revisionOfProfile } from './profile.sql.ts';
import { type ProfileChanges, SETTINGS_FIELDS, type SettingsChanges } from './profile-fields.ts';

const PROFILE = sql(
  'update_profile',
  `with account as (
     update accounts set name = $2, profile_revision = profile_revision + 1, updated_at = $4
     where id = $1 and name <> $2::text
   ),
   channel as (
     update channels c set summary = $3, updated_at = $4
     where c.id = (select primary_channel_id from accounts where id = $1) and c.summary <> $3::text returning c.id
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

const LOCK_PROFILE = sql(
  'lock_profile',
  `select jsonb_build_object('revision', ${revisionOfProfile('a', 'c')}, 'displayName', a.name, 'bio', c.summary)
     as present
   from accounts a join channels c on c.id = a.primary_channel_id where a.id = $1 for no key update`,
);

/** The present profile and its revision, locked until the transaction ends. */
export function lockProfile(tx: Executor, accountId: string): Promise<PresentValues> {
  return locked(tx, LOCK_PROFILE, accountId);
}

const LOCK_SETTINGS = sql(
  'lock_settings',
  `select ${presentValues('s', SETTINGS_FIELDS)} as present from account_settings s where s.account_id = $1 for update`,
);

/** The present settings and their revision, locked until the transaction ends. */
export function lockSettings(tx: Executor, accountId: string): Promise<PresentValues> {
  return locked(tx, LOCK_SETTINGS, accountId);
}

async function locked(tx: Executor, statement: Statement, accountId: string): Promise<PresentValues> {
  const row = await tx.first<{ present: PresentValues }>(statement, [accountId]);
  return row?.present ?? { revision: 0 }; // the account was deleted meanwhile
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

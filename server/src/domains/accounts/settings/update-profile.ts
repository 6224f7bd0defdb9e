import { type RequestEnv, type RevisionInput, readChanges, requireRevision } from '../../../gql/index.ts';
import type { Database } from '../../../platform/db/database.ts';
import { lockProfile, lockSettings, saveProfile, saveSettings } from './profile.store.ts';
import { PROFILE_FIELDS, type ProfileInput, SETTINGS_FIELDS, type SettingsInput } from './profile-fields.ts';

/** Updates the profile of an account. Throws INVALID_INPUT or FIELD_REQUIRED with the field, and CONFLICT. */
export async function updateProfile(
  db: Database,
  accountId: string,
  { ifRevision, ...input }: ProfileInput & RevisionInput,
  env: Pick<RequestEnv, 'nowIso'>,
): Promise<void> {
  const changes = readChanges(PROFILE_FIELDS, input);
  await db.transaction(async (tx) => {
    requireRevision({ ifRevision }, await lockProfile(tx, accountId), PROFILE_FIELDS, changes, env);
    await saveProfile(tx, accountId, changes, env.nowIso);
  });
}

/** Updates the settings of an account. Throws as {@link updateProfile}. */
export async function updateSettings(
  db: Database,
  accountId: string,
  { ifRevision, ...input }: SettingsInput & RevisionInput,
  env: Pick<RequestEnv, 'nowIso'>,
): Promise<void> {
  const changes = readChanges(SETTINGS_FIELDS, input);
  await db.transaction(async (tx) => {
    requireRevision({ ifRevision }, await lockSettings(tx, accountId), SETTINGS_FIELDS, changes, env);
    await saveSettings(tx, accountId, changes, env.nowIso);
  });
}

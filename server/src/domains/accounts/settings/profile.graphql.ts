import type { EntityRef, Graph } from '../../../gql/index.ts';
import { AppError } from '../../../kernel/errors.ts';
import { MAX_BIO, MAX_DISPLAY_NAME } from './profile-input.ts';

/** Declares `me.profile` and `me.settings` with their mutations. Higher domains add the avatar. Answers Profile. */
export function declareProfile(graph: Graph, Me: EntityRef): EntityRef {
  const Profile = graph.entity('Profile', {
    description: 'The public profile of an account.',
    table: 'accounts',
    fields: (f) => ({
      displayName: f.column({ type: 'String', description: 'Display name.', sql: (s) => `${s.t}.name` }),
      bio: f.column({
        type: 'String',
        description: "About text: the summary of the account's own channel; may be empty.",
        sql: (s) => `(select b.summary from channels b where b.id = ${s.t}.primary_channel_id)`,
      }),
      createdAt: f.column({ type: 'DateTime', description: 'When the account was created.', sql: (s) => `${s.t}.created_at` }),
    }),
  });
  graph.extend(Me, (f) => ({
    profile: f.one({
      type: Profile,
      description: 'The public profile of the account.',
      on: (child, s) => `${child}.id = ${s.t}.account_id`,
    }),
  }));
  const UpdateProfileInput = graph.builder.inputType('UpdateProfileInput', {
    description: 'Changes to the profile; omitted or null fields keep their value.',
    fields: (t) => ({
      displayName: t.string({ description: `Display name, 1 to ${MAX_DISPLAY_NAME} characters.` }),
      bio: t.string({ description: `About text, at most ${MAX_BIO} characters; line breaks are kept.` }),
    }),
  });
  graph.mutation('updateProfile', {
    access: 'account:update',
    description: 'Updates the profile of the account. Upload its avatar with createChannelAsset to its own channel.',
    payload: Profile,
    args: (t) => ({ input: t.field({ type: UpdateProfileInput, required: true, description: 'The changes.' }) }),
    command: async ({ viewer, services, nowMs }, { input }) => {
      if (!viewer) throw new AppError('UNAUTHENTICATED');
      await services.accounts.updateProfile(viewer.accountId, input, nowMs);
      return viewer.accountId;
    },
  });
  declareSettings(graph, Me);
  return Profile;
}

function declareSettings(graph: Graph, Me: EntityRef): void {
  const AccountSettings = graph.entity('AccountSettings', {
    description: 'Settings of an account.',
    table: 'account_settings',
    key: 'account_id',
    fields: (f) => ({
      doNotTrack: f.column({
        type: 'Boolean',
        description: 'Whether the account opts out of tracking: nothing of what it watches is stored beyond anonymous counts.',
        sql: (s) => `${s.t}.do_not_track`,
      }),
      keepHistory: f.column({
        type: 'Boolean',
        description: 'Whether videos the account watches appear in its history.',
        sql: (s) => `${s.t}.keep_history`,
      }),
      language: f.column({ type: 'String', description: 'Preferred language (BCP 47).', sql: (s) => `${s.t}.language` }),
    }),
  });
  graph.extend(Me, (f) => ({
    settings: f.one({
      type: AccountSettings,
      description: 'The settings of the account.',
      on: (child, s) => `${child}.account_id = ${s.t}.account_id`,
    }),
  }));
  const UpdateSettingsInput = graph.builder.inputType('UpdateSettingsInput', {
    description: 'Changes to the settings; omitted or null fields keep their value.',
    fields: (t) => ({
      doNotTrack: t.boolean({
        description: 'Whether the account opts out of tracking: nothing of what it watches is stored beyond anonymous counts.',
      }),
      keepHistory: t.boolean({ description: 'Whether videos the account watches appear in its history.' }),
      language: t.string({ description: 'Preferred language, as a BCP 47 tag such as en or pt-BR.' }),
    }),
  });
  graph.mutation('updateSettings', {
    access: 'account:update',
    description: 'Updates the settings of the account.',
    payload: AccountSettings,
    args: (t) => ({ input: t.field({ type: UpdateSettingsInput, required: true, description: 'The changes.' }) }),
    command: async ({ viewer, services, nowMs }, { input }) => {
      if (!viewer) throw new AppError('UNAUTHENTICATED');
      await services.accounts.updateSettings(viewer.accountId, input, nowMs);
      return viewer.accountId;
    },
  });
}

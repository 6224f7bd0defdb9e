import {
  CHANGES_HELP,
  changeInputFields,
  type EntityRef,
  type Graph,
  ifRevisionField,
  outputField,
  outputFields,
  revisionField,
} from '../../../gql/index.ts';
import { AppError } from '../../../kernel/errors.ts';
import { profileRevision, summaryOf } from './profile.sql.ts';
import { PROFILE_FIELDS, SETTINGS_FIELDS } from './profile-fields.ts';

/**
 * Declares `me.profile` and `me.settings` with their mutations. Higher domains add the avatar. Returns the type
 * Profile.
 */
export function declareProfile(graph: Graph, Me: EntityRef): EntityRef {
  const Profile = graph.entity('UserProfile', {
    description: 'The public profile of an account.',
    table: 'accounts',
    fields: (f) => ({
      displayName: outputField(f, PROFILE_FIELDS.displayName),
      firstName: f.column({
        type: 'String',
        description: 'The display name without its last word.',
        sql: (s) => `${s.t}.name`,
        read: ([name]: [string]) => nameParts(name).first,
      }),
      lastName: f.column({
        type: 'String',
        nullable: true,
        description: 'The last word of the display name; null if it is a single word.',
        sql: (s) => `${s.t}.name`,
        read: ([name]: [string]) => nameParts(name).last,
      }),
      confirmed: f.column({
        type: 'Boolean',
        description: 'Whether the email address is confirmed.',
        sql: (s) => `${s.t}.email_verified`,
      }),
      bio: f.column({
        type: 'String',
        description: PROFILE_FIELDS.bio.description,
        sql: (s) => summaryOf(`${s.t}.primary_channel_id`),
      }),
      createdAt: f.column({
        type: 'DateTime',
        description: 'When the account was created.',
        sql: (s) => `${s.t}.created_at`,
      }),
      revision: revisionField(f, profileRevision),
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
    description: `Changes to the profile. ${CHANGES_HELP}`,
    fields: (t) => ({ ...changeInputFields(t, PROFILE_FIELDS), ifRevision: ifRevisionField(t, 'the profile') }),
  });
  graph.mutation('updateProfile', {
    access: 'account:update',
    description: 'Updates the profile of the account. Upload its avatar with createChannelAsset to its own channel.',
    payload: (f) => ({ profile: f.read({ type: Profile, description: 'The profile.' }) }),
    args: (t) => ({ input: t.field({ type: UpdateProfileInput, required: true, description: 'The changes.' }) }),
    command: async (context, { input }) => {
      const { viewer, services } = context;
      if (!viewer) throw new AppError('UNAUTHENTICATED');
      await services.accounts.updateProfile(viewer.accountId, input, context);
      return viewer.accountId;
    },
  });
  declareSettings(graph, Me);
  return Profile;
}

function nameParts(name: string): { first: string; last: string | null } {
  const words = name.trim().split(/\s+/);
  return words.length === 1
    ? { first: name, last: null }
    : { first: words.slice(0, -1).join(' '), last: words.at(-1) ?? null };
}

function declareSettings(graph: Graph, Me: EntityRef): void {
  const AccountSettings = graph.entity('UserSettings', {
    description: 'Settings of an account.',
    table: 'account_settings',
    key: 'account_id',
    fields: (f) => ({
      ...outputFields(f, SETTINGS_FIELDS),
      revision: revisionField(f),
      emailNotifications: f.column({
        type: 'Boolean',
        description: 'Whether any kind of notification is sent by email; see Me.notificationSettings.',
        sql: (s) => `cardinality(${s.t}.notifications_mailed) > 0`,
      }),
      emailNewsletter: f.column({
        type: 'Boolean',
        description: 'Always false: the platform has no newsletter.',
        sql: () => 'false',
      }),
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
    description: `Changes to the settings. ${CHANGES_HELP}`,
    fields: (t) => ({ ...changeInputFields(t, SETTINGS_FIELDS), ifRevision: ifRevisionField(t, 'the settings') }),
  });
  graph.mutation('updateSettings', {
    access: 'account:update',
    description: 'Updates the settings of the account.',
    payload: (f) => ({ settings: f.read({ type: AccountSettings, description: 'The settings.' }) }),
    args: (t) => ({ input: t.field({ type: UpdateSettingsInput, required: true, description: 'The changes.' }) }),
    command: async (context, { input }) => {
      const { viewer, services } = context;
      if (!viewer) throw new AppError('UNAUTHENTICATED');
      await services.accounts.updateSettings(viewer.accountId, input, context);
      return viewer.accountId;
    },
  });
}

import { Link, useRouter } from '@tanstack/react-router';
import {
  AccountSettings,
  type AccountSettingsResult,
  UpdateProfile,
  type UpdateProfileInput,
} from '../../gql/generated/operations.gen.ts';
import { api } from '../../lib/api.ts';
import { type EditFields, textEdit } from '../../lib/edits/edit-fields.ts';
import { useEditForm } from '../../lib/edits/use-edit-form.ts';
import { t } from '../../lib/i18n.ts';
import { ConflictDialog } from '../../ui/conflict-dialog.tsx';
import { TextArea, TextField } from '../../ui/field.tsx';
import { Avatar } from '../../ui/image.tsx';
import { ErrorNotice } from '../../ui/notice.tsx';
import { Panel } from '../../ui/panel.tsx';
import { SaveBar } from '../../ui/save-bar.tsx';

const FIELDS: EditFields<AccountSettingsResult['me']['profile']> = {
  displayName: textEdit(t`Name`, ({ displayName }) => displayName),
  bio: textEdit(t`Bio`, ({ bio }) => bio),
};

/** Name and bio. The avatar is the one of the account's own channel. */
export function ProfilePanel({ me: { profile } }: { me: AccountSettingsResult['me'] }) {
  const router = useRouter();
  const form = useEditForm({
    fields: FIELDS,
    edited: profile,
    send: (input: UpdateProfileInput) => api(UpdateProfile, { input }),
    load: async () => (await api(AccountSettings)).me.profile,
    onSaved: () => router.invalidate({ sync: true }),
  });
  return (
    <Panel title={t`Profile`}>
      <div className="flex items-center gap-4">
        <Avatar image={profile.avatar} name={profile.displayName} className="size-16 text-2xl" />
        <Link
          to="/studio/channel"
          search={{}}
          className="text-accent-text underline underline-offset-3"
        >{t`Change avatar in Studio`}</Link>
      </div>
      <form onSubmit={form.onSubmit} onChange={form.onChange} className="space-y-4">
        {form.error !== null && <ErrorNotice error={form.error} />}
        <TextField
          label={t`Name`}
          name="displayName"
          required
          defaultValue={profile.displayName}
          error={form.fieldError('displayName')}
        />
        <TextArea label={t`Bio`} name="bio" defaultValue={profile.bio} error={form.fieldError('bio')} />
        <SaveBar busy={form.busy} saved={form.saved} />
      </form>
      <ConflictDialog question={form.question} />
    </Panel>
  );
}

import { useId } from 'react';
import { InviteMember, type PendingInvitationFragment } from '../../../gql/generated/operations.gen.ts';
import { sendsMail } from '../../../lib/account.ts';
import { api } from '../../../lib/api.ts';
import { textOf, useForm } from '../../../lib/hooks/use-form.ts';
import { t } from '../../../lib/i18n.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog, DialogButtons } from '../../../ui/dialog.tsx';
import { TextField } from '../../../ui/field.tsx';
import { ErrorNotice } from '../../../ui/notice.tsx';
import { ASSIGNABLE_ROLES, ROLE_MEANINGS, roleName } from './roles.ts';

interface Properties {
  readonly open: boolean;
  readonly channelId: string;
  readonly onInvited: (invitation: PendingInvitationFragment) => void;
  readonly onClose: () => void;
}

/** Asks whom to invite, and as what. */
export function InviteDialog({ open, onClose, ...form }: Properties) {
  return (
    <Dialog open={open} title={t`Invite to this channel`} onClose={onClose}>
      <InviteForm {...form} onClose={onClose} />
    </Dialog>
  );
}

function InviteForm({ channelId, onInvited, onClose }: Omit<Properties, 'open'>) {
  const form = useForm(async (data) => {
    const named = textOf(data, 'person');
    // An address has an @ inside, a username at most one in front.
    const person = named.indexOf('@') > 0 ? { email: named } : { username: named.replace(/^@/, '') };
    const role = ASSIGNABLE_ROLES.find((each) => each === data.get('role')) ?? 'VIEWER';
    onInvited(
      (await api(InviteMember, { channel: channelId, input: { ...person, role } })).inviteChannelMember.invitation,
    );
    onClose();
  });
  const personError = form.fieldError('email') ?? form.fieldError('username');
  return (
    <form onSubmit={form.onSubmit} className="space-y-4">
      {form.error !== null && <ErrorNotice error={form.error} />}
      <TextField
        label={t`Email or username`}
        name="person"
        required
        autoComplete="off"
        autoCapitalize="none"
        error={personError}
        hint={[
          t`The person becomes a member by accepting, within 7 days.`,
          sendsMail() ? t`The link is sent by email.` : t`Without a mail server, an operator passes on the link.`,
        ].join(' ')}
      />
      <RoleChoice />
      <DialogButtons>
        <Button onClick={onClose}>{t`Cancel`}</Button>
        <Button type="submit" look="primary" busy={form.busy}>{t`Send invitation`}</Button>
      </DialogButtons>
    </form>
  );
}

function RoleChoice() {
  const id = useId();
  return (
    <fieldset className="space-y-1">
      <legend className="mb-1 text-sm font-semibold">{t`Role`}</legend>
      {ASSIGNABLE_ROLES.map((role) => (
        <div key={role} className="flex items-start gap-3 py-1.5">
          <input
            type="radio"
            name="role"
            value={role}
            defaultChecked={role === 'EDITOR'}
            id={`${id}-${role}`}
            aria-describedby={`${id}-${role}-note`}
            className="mt-0.5 size-5 shrink-0 accent-accent"
          />
          <div>
            <label htmlFor={`${id}-${role}`} className="font-semibold">
              {roleName(role)}
            </label>
            <p id={`${id}-${role}-note`} className="text-sm text-muted">
              {ROLE_MEANINGS[role]}
            </p>
          </div>
        </div>
      ))}
    </fieldset>
  );
}

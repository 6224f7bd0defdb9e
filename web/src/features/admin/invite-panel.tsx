import { useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { CreateInvitation, type CreateInvitationResult } from '../../gql/generated/operations.gen.ts';
import { sendsMail } from '../../lib/account.ts';
import { api } from '../../lib/api.ts';
import { calendarDate } from '../../lib/format.ts';
import { textOf, useForm } from '../../lib/hooks/use-form.ts';
import { plural, t } from '../../lib/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { Code } from '../../ui/code.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { SelectField, TextField } from '../../ui/field.tsx';
import { ErrorNotice } from '../../ui/notice.tsx';
import { Panel } from '../../ui/panel.tsx';

const DAY_MS = 86_400_000;
/** How many days invitations can be valid. */
const DURATIONS = [1, 7, 30, 90];

/** Creates an invitation and shows its link once. */
export function InvitePanel() {
  const router = useRouter();
  const [created, setCreated] = useState<CreateInvitationResult['createInvitation'] | null>(null);
  const form = useForm(async (data, element) => {
    const expiresAt = new Date(Date.now() + Number(textOf(data, 'days')) * DAY_MS - 1_000).toISOString();
    const input = { email: textOf(data, 'email') || null, note: textOf(data, 'note'), expiresAt };
    setCreated((await api(CreateInvitation, { input })).createInvitation);
    element.reset();
    await router.invalidate({ sync: true });
  });
  return (
    <Panel title={t`Invite someone`} hint={t`Each invitation lets one person create one account.`}>
      <form onSubmit={form.onSubmit} onChange={form.onChange} className="space-y-4">
        {form.error !== null && <ErrorNotice error={form.error} />}
        <TextField
          label={t`Email (optional)`}
          name="email"
          type="email"
          autoComplete="off"
          hint={
            sendsMail()
              ? t`Only this address can use the invitation; the link is sent to it.`
              : t`Only this address can use the invitation. No email is sent; share the link yourself.`
          }
          error={form.fieldError('email')}
        />
        <div className="grid gap-4 sm:grid-cols-[1fr_10rem]">
          <TextField
            label={t`Note (optional)`}
            name="note"
            maxLength={200}
            hint={t`Visible to operators only.`}
            error={form.fieldError('note')}
          />
          <SelectField label={t`Expires in`} name="days" defaultValue="7" error={form.fieldError('expiresAt')}>
            {DURATIONS.map((days) => (
              <option key={days} value={days}>
                {plural(days, { one: '# day', other: '# days' })}
              </option>
            ))}
          </SelectField>
        </div>
        <Button look="primary" type="submit" busy={form.busy}>{t`Create invitation`}</Button>
      </form>
      {created && <NewLink created={created} />}
    </Panel>
  );
}

function NewLink({ created: { url, mailed, invitation } }: { created: CreateInvitationResult['createInvitation'] }) {
  const { email, expiresAt } = invitation;
  return (
    <div role="status" className="space-y-3 rounded-xl border border-line-strong bg-ink p-4">
      <p>
        <strong>{t`Copy the link now; it is not shown again.`}</strong>{' '}
        <span className="text-muted">
          {email
            ? t`Valid until ${calendarDate(expiresAt)}, for ${email}.`
            : t`Valid until ${calendarDate(expiresAt)}.`}
        </span>
      </p>
      {mailed && email && <p>{t`The link was sent to ${email}.`}</p>}
      <Code className="block text-sm break-all">{url}</Code>
      <CopyButton text={url} label={t`Copy link`} />
    </div>
  );
}

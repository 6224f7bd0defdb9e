import { CreateShareLink } from '../../gql/generated/operations.gen.ts';
import { api } from '../../lib/api.ts';
import { localInput } from '../../lib/format.ts';
import { textOf, useForm } from '../../lib/hooks/use-form.ts';
import { t } from '../../lib/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { DialogButtons } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import { ErrorNotice } from '../../ui/notice.tsx';

const MINUTE_MS = 60_000;

interface Properties {
  readonly contentId: string;
  readonly onCreated: (link: { readonly id: string; readonly url: string }) => void;
  readonly onCancel: () => void;
}

/** The form for a link, all of whose fields are optional. */
export function NewLink({ contentId, onCreated, onCancel }: Properties) {
  const form = useForm(async (data) => {
    const [expires, uses] = [textOf(data, 'expiresAt'), textOf(data, 'maxUses')];
    const input = {
      content: contentId,
      name: textOf(data, 'name'),
      password: String(data.get('password') ?? '') || null,
      expiresAt: expires === '' ? null : new Date(expires).toISOString(),
      maxUses: uses === '' ? null : Number(uses),
    };
    const { url, shareLink } = (await api(CreateShareLink, { input })).createShareLink;
    onCreated({ id: shareLink.id, url });
  });
  return (
    <form onSubmit={form.onSubmit} aria-label={t`New link`} className="space-y-4 rounded-xl border border-line p-4">
      <TextField
        label={t`Name`}
        name="name"
        maxLength={100}
        autoComplete="off"
        hint={t`Optional. Whom it is for; only you see it.`}
        error={form.fieldError('name')}
      />
      <TextField
        label={t`Password`}
        name="password"
        type="text"
        minLength={6}
        maxLength={128}
        autoComplete="off"
        hint={t`Optional. Send it separately from the link.`}
        error={form.fieldError('password')}
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          label={t`Expires`}
          name="expiresAt"
          type="datetime-local"
          min={localInput(Date.now() + MINUTE_MS)}
          hint={t`Optional.`}
          error={form.fieldError('expiresAt')}
        />
        <TextField
          label={t`Maximum number of uses`}
          name="maxUses"
          type="number"
          min={1}
          max={1_000_000}
          hint={t`Optional.`}
          error={form.fieldError('maxUses')}
        />
      </div>
      {form.error !== null && <ErrorNotice error={form.error} />}
      <DialogButtons>
        <Button onClick={onCancel}>{t`Cancel`}</Button>
        <Button look="primary" type="submit" busy={form.busy}>{t`Create link`}</Button>
      </DialogButtons>
    </form>
  );
}

import { type ReactNode, useState } from 'react';
import { useForm } from '../../lib/hooks/use-form.ts';
import { t } from '../../lib/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogButtons } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import { ErrorNotice } from '../../ui/notice.tsx';

interface Properties {
  readonly title: string;
  readonly confirmLabel: string;
  readonly look?: 'danger' | 'primary';
  readonly onClose: () => void;
  /** Closes the dialog when it is done; an error is shown. */
  readonly onPassword: (password: string, form: FormData) => Promise<void>;
  readonly children?: ReactNode;
}

/** Asks for the password before a step that a session alone may not take. */
export function PasswordDialog({ title, onClose, ...form }: Properties) {
  return (
    <Dialog open title={title} onClose={onClose}>
      <PasswordForm {...form} onClose={onClose} />
    </Dialog>
  );
}

function PasswordForm({ confirmLabel, look = 'primary', onClose, onPassword, children }: Omit<Properties, 'title'>) {
  const form = useForm((data) => onPassword(String(data.get('password') ?? ''), data));
  return (
    <form onSubmit={form.onSubmit} className="space-y-4">
      {children}
      {form.error !== null && <ErrorNotice error={form.error} />}
      <TextField
        label={t`Password`}
        name="password"
        type="password"
        autoComplete="current-password"
        required
        error={form.fieldError('password')}
      />
      <DialogButtons>
        <Button onClick={onClose}>{t`Cancel`}</Button>
        <Button type="submit" look={look} busy={form.busy}>
          {confirmLabel}
        </Button>
      </DialogButtons>
    </form>
  );
}

/** The dialog that is open, by name, with what opens and closes it. */
export function useDialog<Name extends string>() {
  const [name, setName] = useState<Name | null>(null);
  return { name, open: (next: Name) => () => setName(next), close: () => setName(null) };
}

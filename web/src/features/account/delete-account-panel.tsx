import { useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { calendarDate } from '../../lib/format.ts';
import { t } from '../../lib/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogButtons } from '../../ui/dialog.tsx';
import { Panel } from '../../ui/panel.tsx';
import { PasswordDialog, useDialog } from '../security/password-dialog.tsx';
import { deleteAccount } from '../security/security-api.ts';

/** Deletes the account, after thirty days in which it can be kept. */
export function DeleteAccountPanel() {
  const router = useRouter();
  const dialog = useDialog<'delete'>();
  const [deletesAt, setDeletesAt] = useState<string | null>(null);
  const leave = async (): Promise<void> => {
    await router.navigate({ to: '/' });
    await router.invalidate({ sync: true });
  };
  return (
    <Panel title={t`Delete account`} hint={t`Your channels, videos, comments and history are deleted with it.`}>
      <Button look="danger" onClick={dialog.open('delete')}>{t`Delete account`}</Button>
      {dialog.name === 'delete' && (
        <PasswordDialog
          title={t`Delete your account?`}
          confirmLabel={t`Delete account`}
          look="danger"
          onClose={dialog.close}
          onPassword={async (password) => {
            setDeletesAt(await deleteAccount(password));
            dialog.close();
          }}
        >
          <p>{t`You are signed out everywhere, your API key stops working, and everything you published is hidden at
            once. After 30 days all of it is deleted for good. Transfer a channel first to keep it for its
            members.`}</p>
        </PasswordDialog>
      )}
      {deletesAt !== null && (
        <Dialog open title={t`Your account is closed`} onClose={() => void leave()}>
          <p role="status">
            {t`It will be deleted on ${calendarDate(deletesAt)}. Sign in before that day to keep it.`}
          </p>
          <DialogButtons>
            <Button look="primary" onClick={() => void leave()}>{t`Close`}</Button>
          </DialogButtons>
        </Dialog>
      )}
    </Panel>
  );
}

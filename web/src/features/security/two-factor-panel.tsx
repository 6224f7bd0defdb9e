import { lazy, Suspense, useState } from 'react';
import { t } from '../../lib/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Panel } from '../../ui/panel.tsx';
import { PasswordDialog, useDialog } from './password-dialog.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';
import { type FactorSetUp, newRecoveryCodes, setUpFactor, turnOffFactor } from './security-api.ts';

// The drawing of the QR code is loaded by those who need it.
const SetUp = lazy(() => import('./two-factor-set-up.tsx'));

/** Two-factor authentication: its state, set-up, recovery codes and end. */
export function TwoFactorPanel({ isOn }: { readonly isOn: boolean }) {
  const dialog = useDialog<'begin' | 'codes' | 'turn-off'>();
  const [setUp, setSetUp] = useState<FactorSetUp | null>(null);
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  return (
    <Panel
      title={t`Two-factor authentication`}
      hint={t`Signing in needs your password and a code from an authenticator application on your phone.`}
    >
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <p role="status" className={isOn ? 'text-sea' : 'text-muted'}>
          {isOn ? t`On` : t`Off`}
        </p>
        <div className="flex flex-wrap gap-3">
          {isOn ? (
            <>
              <Button onClick={dialog.open('codes')}>{t`New recovery codes`}</Button>
              <Button onClick={dialog.open('turn-off')}>{t`Turn off`}</Button>
            </>
          ) : (
            <Button onClick={dialog.open('begin')}>{t`Set up`}</Button>
          )}
        </div>
      </div>
      {dialog.name === 'begin' && (
        <PasswordDialog
          title={t`Set up two-factor authentication`}
          confirmLabel={t`Continue`}
          onClose={dialog.close}
          onPassword={async (password) => {
            setSetUp(await setUpFactor(password));
            dialog.close();
          }}
        />
      )}
      {dialog.name === 'codes' && (
        <PasswordDialog
          title={t`New recovery codes`}
          confirmLabel={t`Make new codes`}
          onClose={dialog.close}
          onPassword={async (password) => {
            setCodes(await newRecoveryCodes(password));
            dialog.close();
          }}
        >
          <p>{t`The codes you have now stop working.`}</p>
        </PasswordDialog>
      )}
      {dialog.name === 'turn-off' && (
        <PasswordDialog
          title={t`Turn off two-factor authentication?`}
          confirmLabel={t`Turn off`}
          look="danger"
          onClose={dialog.close}
          onPassword={async (password) => {
            await turnOffFactor(password);
            dialog.close();
          }}
        >
          <p>{t`Your password alone will be enough to sign in.`}</p>
        </PasswordDialog>
      )}
      {setUp && (
        <Dialog open title={t`Set up two-factor authentication`} onClose={() => setSetUp(null)}>
          <Suspense fallback={<p role="status">{t`Loading…`}</p>}>
            <SetUp
              {...setUp}
              onClose={() => setSetUp(null)}
              onDone={() => {
                setCodes(setUp.backupCodes);
                setSetUp(null);
              }}
            />
          </Suspense>
        </Dialog>
      )}
      {codes && <RecoveryCodes codes={codes} onClose={() => setCodes(null)} />}
    </Panel>
  );
}

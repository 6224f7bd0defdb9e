import { lazy, Suspense, useState } from 'react';
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
  const dialog = useDialog<'begin' | 'codes' | 'turn off'>();
  const [setUp, setSetUp] = useState<FactorSetUp | null>(null);
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  return (
    <Panel
      title="Two-factor authentication"
      hint="Signing in needs your password and a code from an authenticator application on your phone."
    >
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <p role="status" className={isOn ? 'text-sea' : 'text-muted'}>
          {isOn ? 'On' : 'Off'}
        </p>
        <div className="flex flex-wrap gap-3">
          {isOn ? (
            <>
              <Button onClick={dialog.open('codes')}>New recovery codes</Button>
              <Button onClick={dialog.open('turn off')}>Turn off</Button>
            </>
          ) : (
            <Button onClick={dialog.open('begin')}>Set up</Button>
          )}
        </div>
      </div>
      {dialog.name === 'begin' && (
        <PasswordDialog
          title="Set up two-factor authentication"
          confirmLabel="Continue"
          onClose={dialog.close}
          onPassword={async (password) => {
            setSetUp(await setUpFactor(password));
            dialog.close();
          }}
        />
      )}
      {dialog.name === 'codes' && (
        <PasswordDialog
          title="New recovery codes"
          confirmLabel="Make new codes"
          onClose={dialog.close}
          onPassword={async (password) => {
            setCodes(await newRecoveryCodes(password));
            dialog.close();
          }}
        >
          <p>The codes you have now stop working.</p>
        </PasswordDialog>
      )}
      {dialog.name === 'turn off' && (
        <PasswordDialog
          title="Turn off two-factor authentication?"
          confirmLabel="Turn off"
          look="danger"
          onClose={dialog.close}
          onPassword={async (password) => {
            await turnOffFactor(password);
            dialog.close();
          }}
        >
          <p>Your password alone will be enough to sign in.</p>
        </PasswordDialog>
      )}
      {setUp && (
        <Dialog open title="Set up two-factor authentication" onClose={() => setSetUp(null)}>
          <Suspense fallback={<p role="status">Loading…</p>}>
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

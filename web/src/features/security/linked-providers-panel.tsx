import { useState } from 'react';
import { calendarDate } from '../../lib/format.ts';
import { t, tc } from '../../lib/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { Panel } from '../../ui/panel.tsx';
import { PasswordDialog } from './password-dialog.tsx';
import {
  type LinkedIdentity,
  linkedIdentities,
  linkProvider,
  signInProviders,
  unlinkIdentity,
} from './sign-in-providers.ts';

const removal = (name: string): string => t`Remove ${name}`;

interface Properties {
  readonly identities: readonly LinkedIdentity[];
  /** Sessions may have ended. */
  readonly onChanged: () => Promise<void>;
}

/** The providers with which the account signs in, and those that it can link. */
export function LinkedProvidersPanel({ identities: first, onChanged }: Properties) {
  const [identities, setIdentities] = useState(first);
  const [unlinked, setUnlinked] = useState<LinkedIdentity | null>(null);
  const [linking, setLinking] = useState<string | null>(null);
  const providers = signInProviders();
  if (providers.length === 0) return null;
  const labelOf = ({ provider, issuer }: LinkedIdentity): string =>
    providers.find(({ name }) => name === provider)?.label ?? new URL(issuer).host;
  return (
    <Panel title={t`Single sign-on`} hint={t`Sign in with an account that you have elsewhere.`}>
      <ul className="divide-y divide-line">
        {identities.map((identity) => {
          const name = labelOf(identity);
          return (
            <li key={identity.id} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-3">
              <div className="min-w-0">
                <p className="[overflow-wrap:anywhere]">{name}</p>
                <p className="text-sm text-muted">{t`Added ${calendarDate(identity.createdAt)}`}</p>
              </div>
              <Button onClick={() => setUnlinked(identity)} aria-label={removal(name)}>{t`Remove`}</Button>
            </li>
          );
        })}
        {providers
          .filter(({ name }) => identities.every(({ provider }) => provider !== name))
          .map(({ name, label }) => (
            <li key={name} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-3">
              <p className="[overflow-wrap:anywhere]">{label}</p>
              <Button onClick={() => setLinking(name)} aria-label={t`Link ${label}`}>
                {tc('verb', 'Link')}
              </Button>
            </li>
          ))}
      </ul>
      {linking !== null && (
        <PasswordDialog
          title={t`Link an account`}
          confirmLabel={t`Continue`}
          onClose={() => setLinking(null)}
          onPassword={(password) => linkProvider(linking, password)}
        />
      )}
      {unlinked !== null && (
        <PasswordDialog
          title={removal(labelOf(unlinked))}
          confirmLabel={t`Remove`}
          look="danger"
          onClose={() => setUnlinked(null)}
          onPassword={async (password) => {
            await unlinkIdentity(unlinked.id, password);
            setIdentities(await linkedIdentities());
            setUnlinked(null);
            await onChanged();
          }}
        >
          <p>{t`It can no longer sign in to this account, and its sessions end.`}</p>
        </PasswordDialog>
      )}
    </Panel>
  );
}

import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { planName } from '../../features/account/plan-names.ts';
import { ApiKeyPanel } from '../../features/developer/api-key-panel.tsx';
import { ConnectedApplications } from '../../features/developer/connected-applications.tsx';
import { DeveloperHeader } from '../../features/developer/developer-header.tsx';
import { KeyActivity } from '../../features/developer/key-activity.tsx';
import { TokenList } from '../../features/developer/token-list.tsx';
import { UsageLimitsForm } from '../../features/developer/usage-limits-form.tsx';
import { type DeveloperSettingsPartsFragment, StartTrial } from '../../gql/generated/operations.gen.ts';
import { api } from '../../lib/api.ts';
import { calendarDate } from '../../lib/format.ts';
import { useAction } from '../../lib/hooks/use-action.ts';
import { Trans, t } from '../../lib/i18n.ts';
import { siteName } from '../../lib/site.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorNotice } from '../../ui/notice.tsx';
import { Panel } from '../../ui/panel.tsx';

const route = getRouteApi('/settings/developer');

/** Developer Settings: API access, key, tokens, connected applications, usage limits and activity. */
export function DeveloperPage() {
  const { usage, connections, tokens, ...loaded } = route.useLoaderData();
  const [settings, setSettings] = useState<DeveloperSettingsPartsFragment>(loaded);
  return (
    <div className="mx-auto max-w-3xl space-y-6">
      <title>{`${t`Developer Settings`} · ${siteName()}`}</title>
      <DeveloperHeader />
      <Access settings={settings} onChange={setSettings} />
      <Panel title={t`API key`}>
        {settings.eligible || settings.apiKey ? (
          <ApiKeyPanel apiKey={settings.apiKey} onKey={(apiKey) => setSettings((known) => ({ ...known, apiKey }))} />
        ) : (
          <p className="text-muted">{t`You can generate a key once developer access is active.`}</p>
        )}
      </Panel>
      <Panel
        title={t`Tokens`}
        hint={t`Give each program a token with only the permissions and channels that it needs, instead of the API
          key.`}
      >
        <TokenList {...tokens} eligible={settings.eligible} />
      </Panel>
      <Panel title={t`Connected applications`}>
        <ConnectedApplications connections={connections} />
      </Panel>
      <Panel title={t`Usage limits`}>
        <UsageLimitsForm budgets={usage.budgets} />
      </Panel>
      <Panel title={t`Activity`}>
        <KeyActivity activity={usage.activity} />
      </Panel>
      <Panel title={t`Resources`}>
        <p className="text-muted">
          <Trans>
            Build and run queries in the{' '}
            <a href="/graphql" className="text-accent-text underline underline-offset-3">
              API explorer
            </a>
            , follow the guides in the{' '}
            <a href="/docs" className="text-accent-text underline underline-offset-3">
              documentation
            </a>
            , and look up errors in the{' '}
            <a href="/docs/errors" className="text-accent-text underline underline-offset-3">
              error reference
            </a>
            .
          </Trans>
        </p>
      </Panel>
    </div>
  );
}

const STATES = {
  TRIALING: t`trial`,
  ACTIVE: t`active`,
  PAST_DUE: t`past due`,
  CANCELED: t`canceled`,
  EXPIRED: t`expired`,
} as const;

interface AccessProperties {
  readonly settings: DeveloperSettingsPartsFragment;
  readonly onChange: (settings: DeveloperSettingsPartsFragment) => void;
}

function Access({ settings, onChange }: AccessProperties) {
  const action = useAction();
  const { subscription } = settings;
  const [plan, state] = [planName(subscription.plan.name), STATES[subscription.state]];
  const until = subscription.trial.active ? subscription.trial.endsAt : subscription.endsAt;
  return (
    <Panel title={t`Access`}>
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <span
          className={`size-2.5 rounded-full ${settings.eligible ? 'bg-sea' : 'bg-line-strong'}`}
          aria-hidden="true"
        />
        <strong>{settings.eligible ? t`Developer access is active` : t`Developer access is inactive`}</strong>
        <span className="text-muted">
          {until ? t`${plan} plan, ${state}, until ${calendarDate(until)}` : t`${plan} plan, ${state}`}
        </span>
      </p>
      {!settings.eligible && (
        <p dir="auto" className="text-muted">
          {settings.reason} {settings.howToBecomeEligible}
        </p>
      )}
      {action.error !== null && <ErrorNotice error={action.error} />}
      {!settings.eligible && settings.trialAvailable && (
        <Button
          look="primary"
          busy={action.busy !== null}
          onClick={() =>
            action.run('trial', async () => onChange((await api(StartTrial)).startTrial.developerSettings))
          }
        >{t`Start 14-day trial`}</Button>
      )}
    </Panel>
  );
}

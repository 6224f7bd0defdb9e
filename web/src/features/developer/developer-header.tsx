import { Link } from '@tanstack/react-router';
import { t } from '../../lib/i18n.ts';
import { TAB, TabRow } from '../../ui/tabs.tsx';

const PAGES = [
  ['/settings/developer', t`API access`],
  ['/settings/developer/webhooks', t`Webhooks`],
  ['/settings/developer/events', t`Events`],
] as const;

/** The header of all Developer Settings pages. */
export function DeveloperHeader() {
  return (
    <div className="space-y-4">
      <header className="space-y-1">
        <h1 className="text-3xl font-bold">{t`Developer Settings`}</h1>
        <p className="text-muted">{t`Everything you can do on this site is also available through the API.`}</p>
      </header>
      <TabRow label={t`Developer Settings`}>
        {PAGES.map(([to, label]) => (
          <li key={to}>
            <Link to={to} activeOptions={{ exact: true, includeSearch: false }} className={TAB}>
              {label}
            </Link>
          </li>
        ))}
      </TabRow>
    </div>
  );
}

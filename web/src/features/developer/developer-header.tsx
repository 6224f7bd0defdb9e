import { Link } from '@tanstack/react-router';
import { TAB, TabRow } from '../../ui/tabs.tsx';

const PAGES = [
  ['/settings/developer', 'API access'],
  ['/settings/developer/webhooks', 'Webhooks'],
  ['/settings/developer/events', 'Events'],
] as const;

/** The header of all Developer Settings pages. */
export function DeveloperHeader() {
  return (
    <div className="space-y-4">
      <header className="space-y-1">
        <h1 className="text-3xl font-bold">Developer Settings</h1>
        <p className="text-muted">Everything you can do on this site is also available through the API.</p>
      </header>
      <TabRow label="Developer Settings">
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

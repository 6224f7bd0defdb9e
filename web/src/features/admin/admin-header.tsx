import { Link } from '@tanstack/react-router';
import { TAB, TabRow } from '../../ui/tabs.tsx';

const PAGES = [
  ['/admin', 'Overview'],
  ['/admin/jobs', 'Jobs'],
  ['/admin/reports', 'Reports'],
  ['/admin/storage', 'Storage'],
  ['/admin/accounts', 'Accounts'],
  ['/admin/invitations', 'Invitations'],
  ['/admin/mail', 'Mail'],
  ['/admin/log', 'Audit log'],
  ['/admin/settings', 'Settings'],
] as const;

/** The header of the pages for operators. */
export function AdminHeader() {
  return (
    <div className="space-y-4">
      <h1 className="text-3xl font-bold">Admin</h1>
      <TabRow label="Admin">
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

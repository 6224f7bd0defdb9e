import { Link } from '@tanstack/react-router';
import { t } from '../../lib/i18n.ts';
import { TAB, TabRow } from '../../ui/tabs.tsx';

const PAGES = [
  ['/admin', t`Overview`],
  ['/admin/jobs', t`Jobs`],
  ['/admin/reports', t`Reports`],
  ['/admin/storage', t`Storage`],
  ['/admin/accounts', t`Accounts`],
  ['/admin/invitations', t`Invitations`],
  ['/admin/mail', t`Mail`],
  ['/admin/log', t`Audit log`],
  ['/admin/settings', t`Settings`],
] as const;

/** The header of the pages for operators. */
export function AdminHeader() {
  return (
    <div className="space-y-4">
      <h1 className="text-3xl font-bold">{t`Admin`}</h1>
      <TabRow label={t`Admin`}>
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

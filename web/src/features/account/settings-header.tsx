import { Link } from '@tanstack/react-router';
import { t } from '../../lib/i18n.ts';
import { Code } from '../../ui/code.tsx';
import { TAB, TabRow } from '../../ui/tabs.tsx';

const PAGES = [
  ['/settings/account', t`Account`],
  ['/settings/security', t`Security`],
] as const;

/** The header of the pages about the account. */
export function SettingsHeader({ account }: { readonly account: string }) {
  return (
    <div className="space-y-4">
      <header className="space-y-1">
        <h1 className="text-3xl font-bold">{t`Settings`}</h1>
        <p className="text-muted [overflow-wrap:anywhere]">
          <Code as="bdi">{account}</Code>
        </p>
      </header>
      <TabRow label={t`Settings`}>
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

import { getRouteApi } from '@tanstack/react-router';
import { AdminHeader } from '../../features/admin/admin-header.tsx';
import { type OperatorActionKind, OperatorActions } from '../../gql/generated/operations.gen.ts';
import { api } from '../../lib/api.ts';
import { ago } from '../../lib/format.ts';
import { t } from '../../lib/i18n.ts';
import { siteName } from '../../lib/site.ts';
import { usePages } from '../../lib/use-pages.ts';
import { More } from '../../ui/more.tsx';

const route = getRouteApi('/admin/log');

const KINDS: Readonly<Record<OperatorActionKind, string>> = {
  ACCOUNT_SUSPENDED: 'suspended',
  ACCOUNT_REINSTATED: t`ended the suspension of`,
  PLAN_SET: t`set the plan of`,
  PASSWORD_RESET_SENT: t`sent a password reset to`,
  JOB_RETRIED: t`retried the processing of`,
  REPORT_DISMISSED: t`dismissed a report on`,
  CONTENT_TAKEN_DOWN: t`took down`,
  COMMENT_TAKEN_DOWN: t`took down the comment of`,
  SETTINGS_CHANGED: t`changed settings of the`,
  TAKEDOWN_LIFTED: t`ended the takedown of`,
  JOB_CANCELLED: t`cancelled the processing of`,
};

/** What operators did. */
export function AdminLogPage() {
  const { operatorActions } = route.useLoaderData();
  const loadMore = async (after: string) => (await api(OperatorActions, { after })).operatorActions;
  const pages = usePages({ queryKey: ['OperatorActions'], first: operatorActions, loadMore, focus: 'li' });
  return (
    <div className="mx-auto max-w-5xl space-y-6">
      <title>{t`Audit log · Admin · ${siteName()}`}</title>
      <AdminHeader />
      {pages.nodes.length === 0 && <p className="text-muted">{t`What operators do appears here.`}</p>}
      <div ref={pages.list}>
        <ul className="divide-y divide-line">
          {pages.nodes.map(({ id, at, operator, kind, subject, details }) => (
            <li key={id} tabIndex={-1} className="flex flex-wrap items-baseline gap-x-3 gap-y-1 py-3">
              <p className="[overflow-wrap:anywhere]">
                <strong>{operator}</strong> {KINDS[kind]} <strong>{subject}</strong>
              </p>
              <time dateTime={at} className="ml-auto text-sm text-muted">
                {ago(at, Date.now())}
              </time>
              {details !== '' && <p className="w-full text-sm text-muted [overflow-wrap:anywhere]">{details}</p>}
            </li>
          ))}
        </ul>
        <More pages={pages}>{t`Show more`}</More>
      </div>
    </div>
  );
}

import { getRouteApi } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { AdminHeader } from '../../features/admin/admin-header.tsx';
import { type OperatorActionKind, OperatorActions } from '../../gql/generated/operations.gen.ts';
import { api } from '../../lib/api.ts';
import { ago } from '../../lib/format.ts';
import { usePages } from '../../lib/hooks/use-pages.ts';
import { Trans, t } from '../../lib/i18n.ts';
import { siteName } from '../../lib/site.ts';
import { More } from '../../ui/more.tsx';

const route = getRouteApi('/admin/log');

/** What an operator did with what, in words. */
const KINDS: Readonly<Record<OperatorActionKind, (operator: ReactNode, subject: ReactNode) => ReactNode>> = {
  ACCOUNT_SUSPENDED: (operator, subject) => (
    <Trans>
      {operator} suspended {subject}
    </Trans>
  ),
  ACCOUNT_REINSTATED: (operator, subject) => (
    <Trans>
      {operator} ended the suspension of {subject}
    </Trans>
  ),
  PLAN_SET: (operator, subject) => (
    <Trans>
      {operator} set the plan of {subject}
    </Trans>
  ),
  PASSWORD_RESET_SENT: (operator, subject) => (
    <Trans>
      {operator} sent a password reset to {subject}
    </Trans>
  ),
  JOB_RETRIED: (operator, subject) => (
    <Trans>
      {operator} retried the processing of {subject}
    </Trans>
  ),
  REPORT_DISMISSED: (operator, subject) => (
    <Trans>
      {operator} dismissed a report on {subject}
    </Trans>
  ),
  CONTENT_TAKEN_DOWN: (operator, subject) => (
    <Trans>
      {operator} took down {subject}
    </Trans>
  ),
  COMMENT_TAKEN_DOWN: (operator, subject) => (
    <Trans>
      {operator} took down the comment of {subject}
    </Trans>
  ),
  CHAT_MESSAGE_DELETED: (operator, subject) => (
    <Trans>
      {operator} deleted the message of {subject}
    </Trans>
  ),
  TAKEDOWN_LIFTED: (operator, subject) => (
    <Trans>
      {operator} ended the takedown of {subject}
    </Trans>
  ),
  JOB_CANCELLED: (operator, subject) => (
    <Trans>
      {operator} cancelled the processing of {subject}
    </Trans>
  ),
  OPERATOR_CLAIMED: (operator) => <Trans>{operator} became an operator with the code of the server</Trans>,
  SETTINGS_CHANGED: (operator) => <Trans>{operator} changed settings of the server</Trans>,
};

/** What operators did. */
export function AdminLogPage() {
  const { operatorActions } = route.useLoaderData();
  const loadMore = async (after: string) => (await api(OperatorActions, { after })).operatorActions;
  const pages = usePages({ queryKey: ['OperatorActions'], first: operatorActions, loadMore, focus: 'li' });
  return (
    <div className="mx-auto max-w-5xl space-y-6">
      <title>{`${t`Audit log`} · ${t`Admin`} · ${siteName()}`}</title>
      <AdminHeader />
      {pages.nodes.length === 0 && <p className="text-muted">{t`What operators do appears here.`}</p>}
      <div ref={pages.list}>
        <ul className="divide-y divide-line">
          {pages.nodes.map(({ id, at, operator, kind, subject, details }) => (
            <li key={id} tabIndex={-1} className="flex flex-wrap items-baseline gap-x-3 gap-y-1 py-3">
              <p className="[overflow-wrap:anywhere]">
                {KINDS[kind](<strong>{operator}</strong>, <strong>{subject}</strong>)}
              </p>
              <time dateTime={at} className="ms-auto text-sm text-muted">
                {ago(at, Date.now())}
              </time>
              {details !== '' && (
                <p dir="auto" className="w-full text-sm text-muted [overflow-wrap:anywhere]">
                  {details}
                </p>
              )}
            </li>
          ))}
        </ul>
        <More pages={pages}>{t`Show more`}</More>
      </div>
    </div>
  );
}

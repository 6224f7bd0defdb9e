import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { AdminHeader } from '../../features/admin/admin-header.tsx';
import { ReportActionDialog } from '../../features/admin/report-dialogs.tsx';
import { type ReportAction, ReportRow } from '../../features/admin/report-row.tsx';
import { type ServerReportRowFragment, ServerReports } from '../../gql/generated/operations.gen.ts';
import { api } from '../../lib/api.ts';
import { shortCount } from '../../lib/format.ts';
import { usePages } from '../../lib/hooks/use-pages.ts';
import { plural, t, tc } from '../../lib/i18n.ts';
import { siteName } from '../../lib/site.ts';
import { More } from '../../ui/more.tsx';
import { EXACT, TAB, TabRow } from '../../ui/tabs.tsx';

const route = getRouteApi('/admin/reports');

const STATES = [
  ['OPEN', tc('state', 'Open')],
  ['RESOLVED', t`Resolved`],
  ['DISMISSED', t`Dismissed`],
] as const;

/** Reports of all channels, which operators decide. */
export function AdminReportsPage() {
  const { serverReports } = route.useLoaderData();
  const { status = 'OPEN' } = route.useSearch();
  return (
    <div className="mx-auto max-w-5xl space-y-6">
      <title>{`${t`Reports`} · ${t`Admin`} · ${siteName()}`}</title>
      <AdminHeader />
      <TabRow label={t`State of reports`}>
        {STATES.map(([state, label]) => (
          <li key={state}>
            <Link
              to="/admin/reports"
              search={state === 'OPEN' ? {} : { status: state }}
              activeOptions={EXACT}
              className={TAB}
            >
              {label}
            </Link>
          </li>
        ))}
      </TabRow>
      <List key={status} status={status} first={serverReports} />
    </div>
  );
}

interface ListProperties {
  readonly status: (typeof STATES)[number][0];
  readonly first: ReturnType<typeof route.useLoaderData>['serverReports'];
}

function List({ status, first }: ListProperties) {
  const { totalCount } = first;
  const loadMore = async (after: string) => (await api(ServerReports, { status, after })).serverReports;
  const pages = usePages({ queryKey: ['ServerReports', status], first, loadMore, focus: 'li' });
  const [changed, setChanged] = useState<Readonly<Record<string, ServerReportRowFragment>>>({});
  const [open, setOpen] = useState<{ action: ReportAction; report: ServerReportRowFragment } | null>(null);
  return (
    <>
      <p role="status" className="text-muted">
        {totalCount === 0 && status === 'OPEN'
          ? t`No open reports. What viewers report appears here, and at the channels’ own moderators.`
          : plural(totalCount, { one: '# report', other: '# reports' }, shortCount(totalCount))}
      </p>
      <div ref={pages.list}>
        <ul className="divide-y divide-line">
          {pages.nodes.map((node) => (
            <ReportRow
              key={node.id}
              report={changed[node.id] ?? node}
              onAction={(action, report) => setOpen({ action, report })}
            />
          ))}
        </ul>
        <More pages={pages}>{t`Show more`}</More>
      </div>
      {open && (
        <ReportActionDialog
          {...open}
          onClose={() => setOpen(null)}
          onChanged={(report) => setChanged((known) => ({ ...known, [report.id]: report }))}
        />
      )}
    </>
  );
}

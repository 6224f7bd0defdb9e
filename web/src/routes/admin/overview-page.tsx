import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, type LinkProps } from '@tanstack/react-router';
import { AdminHeader } from '../../features/admin/admin-header.tsx';
import { HealthList } from '../../features/admin/health-list.tsx';
import { WorkerList } from '../../features/admin/worker-list.tsx';
import { ServerStatus, type ServerStatusResult } from '../../gql/generated/operations.gen.ts';
import { byteSize } from '../../lib/format.ts';
import { plural, t } from '../../lib/i18n.ts';
import { count } from '../../lib/numbers.ts';
import { operationQuery } from '../../lib/query.ts';
import { siteName } from '../../lib/site.ts';
import { ErrorNotice } from '../../ui/notice.tsx';
import { Panel } from '../../ui/panel.tsx';

const route = getRouteApi('/admin');
const REFRESH_MS = 10_000;

/** Health and numbers of the server, refreshed every ten seconds. */
export function AdminOverviewPage() {
  const query = useQuery({
    ...operationQuery(ServerStatus),
    initialData: route.useLoaderData(),
    refetchInterval: REFRESH_MS,
  });
  const { version, checks, counts, workers, queues, space } = query.data.serverStatus;
  const failing = checks.filter(({ state }) => state !== 'OK').length;
  return (
    <div className="mx-auto max-w-5xl space-y-6">
      <title>{`${t`Overview`} · ${t`Admin`} · ${siteName()}`}</title>
      <AdminHeader />
      {query.error !== null && <ErrorNotice error={query.error} />}
      <Counts counts={counts} space={space} />
      <Panel title={t`Health`} hint={t`Version ${version}`}>
        <p role="status" className="sr-only">
          {failing === 0
            ? t`Everything works.`
            : plural(failing, { one: '# part needs attention.', other: '# parts need attention.' })}
        </p>
        <HealthList checks={checks} />
      </Panel>
      <Panel title={t`Workers`}>
        <WorkerList workers={workers} queues={queues} />
      </Panel>
    </div>
  );
}

type Status = ServerStatusResult['serverStatus'];

function Counts({ counts, space }: Pick<Status, 'counts' | 'space'>) {
  const { accounts, suspendedAccounts: suspended, channels, contents, storedBytes, jobsWaiting: waiting } = counts;
  const tiles: readonly (readonly [string, string, string | null, LinkProps?])[] = [
    [
      t`Accounts`,
      count(accounts),
      suspended > 0 ? plural(suspended, { other: '# suspended' }, count(suspended)) : null,
      ACCOUNTS,
    ],
    [t`Contents`, count(contents), plural(channels, { one: 'in # channel', other: 'in # channels' }, count(channels))],
    [t`Storage used`, byteSize(storedBytes), space && t`${byteSize(space.freeBytes)} free`, STORAGE],
    [t`Jobs running`, count(counts.jobsRunning), plural(waiting, { other: '# waiting' }, count(waiting)), JOBS],
    [t`Jobs failed`, count(counts.jobsFailed), t`in the last 7 days`, FAILED_JOBS],
    [t`Open reports`, count(counts.openReports), null, REPORTS],
  ];
  return (
    <dl className="grid grid-cols-2 gap-x-6 gap-y-5 sm:grid-cols-3 lg:grid-cols-6">
      {tiles.map(([label, value, detail, link]) => (
        <div key={label} className="flex flex-col">
          <dt className="text-sm text-muted">
            {link ? (
              <Link {...link} className="hover:text-fore hover:underline">
                {label}
              </Link>
            ) : (
              label
            )}
          </dt>
          <dd className="text-2xl font-semibold tabular-nums">{value}</dd>
          {detail !== null && <dd className="text-sm text-muted">{detail}</dd>}
        </div>
      ))}
    </dl>
  );
}

const ACCOUNTS = { to: '/admin/accounts' } as const satisfies LinkProps;
const STORAGE = { to: '/admin/storage' } as const satisfies LinkProps;
const JOBS = { to: '/admin/jobs', search: { status: 'TRANSCODING' } } as const satisfies LinkProps;
const FAILED_JOBS = { to: '/admin/jobs', search: { status: 'ERROR' } } as const satisfies LinkProps;
const REPORTS = { to: '/admin/reports' } as const satisfies LinkProps;

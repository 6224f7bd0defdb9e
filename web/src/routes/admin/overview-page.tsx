import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { AdminHeader } from '../../features/admin/admin-header.tsx';
import { HealthList } from '../../features/admin/health-list.tsx';
import { WorkerList } from '../../features/admin/worker-list.tsx';
import { ServerStatus, type ServerStatusResult } from '../../gql/generated/operations.gen.ts';
import { byteSize } from '../../lib/format.ts';
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
      <title>{`Overview · Admin · ${siteName()}`}</title>
      <AdminHeader />
      {query.error !== null && <ErrorNotice error={query.error} />}
      <Counts counts={counts} space={space} />
      <Panel title="Health" hint={`Version ${version}`}>
        <p role="status" className="sr-only">
          {failing === 0 ? 'Everything works.' : `${failing} of ${checks.length} parts need attention.`}
        </p>
        <HealthList checks={checks} />
      </Panel>
      <Panel title="Workers">
        <WorkerList workers={workers} queues={queues} />
      </Panel>
    </div>
  );
}

type Status = ServerStatusResult['serverStatus'];

function Counts({ counts, space }: Pick<Status, 'counts' | 'space'>) {
  const { accounts, suspendedAccounts, channels, contents, storedBytes } = counts;
  const whole = (count: number): string => count.toLocaleString('en');
  const tiles: readonly (readonly [string, string, string | null])[] = [
    ['Accounts', whole(accounts), suspendedAccounts > 0 ? `${whole(suspendedAccounts)} suspended` : null],
    ['Contents', whole(contents), `in ${whole(channels)} ${channels === 1 ? 'channel' : 'channels'}`],
    ['Storage used', byteSize(storedBytes), space && `${byteSize(space.freeBytes)} free`],
    ['Jobs running', whole(counts.jobsRunning), `${whole(counts.jobsWaiting)} waiting`],
    ['Jobs failed', whole(counts.jobsFailed), 'in the last 7 days'],
    ['Open reports', whole(counts.openReports), null],
  ];
  return (
    <dl className="grid grid-cols-2 gap-x-6 gap-y-5 sm:grid-cols-3 lg:grid-cols-6">
      {tiles.map(([label, value, detail]) => (
        <div key={label} className="flex flex-col">
          <dt className="text-sm text-muted">{label}</dt>
          <dd className="text-2xl font-semibold tabular-nums">{value}</dd>
          {detail !== null && <dd className="text-sm text-muted">{detail}</dd>}
        </div>
      ))}
    </dl>
  );
}

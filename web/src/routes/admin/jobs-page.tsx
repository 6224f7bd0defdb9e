import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { AdminHeader } from '../../features/admin/admin-header.tsx';
import { JOB_PURPOSES, JOB_STATES } from '../../features/admin/job-names.ts';
import { JobRow } from '../../features/admin/job-row.tsx';
import type { JobSearch } from '../../features/admin/job-search.ts';
import {
  CancelServerJob,
  RetryServerJob,
  type ServerJobRowFragment,
  ServerJobs,
} from '../../gql/generated/operations.gen.ts';
import { api } from '../../lib/api.ts';
import { shortCount } from '../../lib/format.ts';
import { usePages } from '../../lib/hooks/use-pages.ts';
import { plural, Trans, t } from '../../lib/i18n.ts';
import { operationQuery } from '../../lib/query.ts';
import { siteName } from '../../lib/site.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { SelectField } from '../../ui/field.tsx';
import { More } from '../../ui/more.tsx';
import { ErrorNotice } from '../../ui/notice.tsx';
import { showToast } from '../../ui/toast.tsx';

const route = getRouteApi('/admin/jobs');
const REFRESH_MS = 5_000;

/** Jobs of all channels, refreshed every five seconds, which operators retry and cancel. */
export function AdminJobsPage() {
  const search = route.useSearch();
  return (
    <div className="mx-auto max-w-5xl space-y-6">
      <title>{`${t`Jobs`} · ${t`Admin`} · ${siteName()}`}</title>
      <AdminHeader />
      <Filter />
      <List key={JSON.stringify(search)} />
    </div>
  );
}

function Filter() {
  const search = route.useSearch();
  const navigate = useNavigate();
  const choose = (change: JobSearch): void => void navigate({ to: '/admin/jobs', search: { ...search, ...change } });
  return (
    <search className="grid gap-4 sm:max-w-lg sm:grid-cols-2">
      <SelectField
        label={t`State`}
        value={search.status ?? ''}
        onChange={(event) => choose({ status: (event.currentTarget.value || undefined) as JobSearch['status'] })}
      >
        <option value="">{t`All`}</option>
        {Object.entries(JOB_STATES).map(([status, label]) => (
          <option key={status} value={status}>
            {label}
          </option>
        ))}
      </SelectField>
      <SelectField
        label={t`Kind`}
        value={search.purpose ?? ''}
        onChange={(event) => choose({ purpose: (event.currentTarget.value || undefined) as JobSearch['purpose'] })}
      >
        <option value="">{t`All`}</option>
        {Object.entries(JOB_PURPOSES).map(([purpose, label]) => (
          <option key={purpose} value={purpose}>
            {label}
          </option>
        ))}
      </SelectField>
    </search>
  );
}

interface Asked {
  readonly action: 'retry' | 'cancel';
  readonly job: ServerJobRowFragment;
}

function List() {
  const { status = null, purpose = null } = route.useSearch();
  const filter = { status, purpose };
  const [hasMore, setHasMore] = useState(false);
  const query = useQuery({
    ...operationQuery(ServerJobs, filter),
    initialData: route.useLoaderData(),
    // What was loaded with the button would move.
    refetchInterval: hasMore ? false : REFRESH_MS,
  });
  const first = query.data.serverJobs;
  const { totalCount } = first;
  const loadMore = async (after: string) => {
    setHasMore(true);
    return (await api(ServerJobs, { ...filter, after })).serverJobs;
  };
  const pages = usePages({ queryKey: ['ServerJobs', filter], first, loadMore, focus: 'li' });
  const [asked, setAsked] = useState<Asked | null>(null);
  const title = <strong className="[overflow-wrap:anywhere]">{asked?.job.contentTitle}</strong>;
  const confirm = async (): Promise<void> => {
    if (!asked) return;
    const { id } = asked.job;
    if (asked.action === 'retry') await api(RetryServerJob, { id });
    else await api(CancelServerJob, { id });
    showToast({ text: asked.action === 'retry' ? t`The job was started again.` : t`The job is being cancelled.` });
    await query.refetch();
  };
  return (
    <>
      <p role="status" className="text-muted">
        {plural(totalCount, { one: '# job', other: '# jobs' }, shortCount(totalCount))}
      </p>
      {query.error !== null && <ErrorNotice error={query.error} />}
      <div ref={pages.list}>
        <ul className="divide-y divide-line">
          {pages.nodes.map((job) => (
            <JobRow
              key={job.id}
              job={job}
              onRetry={() => setAsked({ action: 'retry', job })}
              onCancel={() => setAsked({ action: 'cancel', job })}
            />
          ))}
        </ul>
        <More pages={pages}>{t`Show more`}</More>
      </div>
      <Confirm
        open={asked !== null}
        title={asked?.action === 'retry' ? t`Retry job?` : t`Cancel job?`}
        confirmLabel={asked?.action === 'retry' ? t`Retry` : t`Cancel job`}
        look={asked?.action === 'retry' ? 'primary' : 'danger'}
        onConfirm={confirm}
        onClose={() => setAsked(null)}
      >
        <p>
          {asked?.action === 'retry' ? (
            <Trans>{title} is processed again from its uploaded file.</Trans>
          ) : (
            <Trans>{title} stops being processed; what was published stays playable as it was.</Trans>
          )}
        </p>
      </Confirm>
    </>
  );
}

import { Link } from '@tanstack/react-router';
import type { ServerJobRowFragment } from '../../gql/generated/operations.gen.ts';
import { ago, localInstant } from '../../lib/format.ts';
import { plural, t } from '../../lib/i18n.ts';
import { percent } from '../../lib/numbers.ts';
import { Button } from '../../ui/button.tsx';
import { isCancellable, isRetriable, JOB_PURPOSES, stateOf } from './job-names.ts';

interface Properties {
  readonly job: ServerJobRowFragment;
  readonly onRetry: (job: ServerJobRowFragment) => void;
  readonly onCancel: (job: ServerJobRowFragment) => void;
}

/** A job in the list of operators. */
export function JobRow({ job, onRetry, onCancel }: Properties) {
  const { status, purpose, progress, attempts, error, contentTitle, channel } = job;
  return (
    <li tabIndex={-1} className="flex flex-wrap items-start gap-x-4 gap-y-2 py-3">
      <div className="min-w-0 grow basis-64">
        <p className="overflow-x-clip font-semibold [overflow-wrap:anywhere]">
          <bdi>{contentTitle}</bdi>
        </p>
        <p className="overflow-x-clip text-sm text-muted [overflow-wrap:anywhere]">
          <Link to="/@{$handle}" params={{ handle: channel.handle }} className="hover:text-fore hover:underline">
            <bdi>{channel.name}</bdi>
          </Link>{' '}
          ·{' '}
          {[JOB_PURPOSES[purpose], attempts > 1 && plural(attempts, { one: '# attempt', other: '# attempts' })]
            .filter(Boolean)
            .join(' · ')}
        </p>
        {error !== null && (
          <p dir="auto" className="text-sm text-danger [overflow-wrap:anywhere]">
            {error}
          </p>
        )}
      </div>
      <p className="w-52 text-sm">
        <span className={status === 'ERROR' ? 'text-danger' : status === 'TRANSCODING' ? 'text-sea' : ''}>
          {stateOf(status)}
          {status === 'TRANSCODING' && ` ${percent(progress / 100)}`}
        </span>
        <br />
        <Times job={job} />
      </p>
      <div className="w-24 text-end">
        {isRetriable(job) && (
          <Button onClick={() => onRetry(job)} aria-label={t`Retry ${contentTitle}`}>{t`Retry`}</Button>
        )}
        {isCancellable(job) && (
          <Button onClick={() => onCancel(job)} aria-label={t`Cancel ${contentTitle}`}>{t`Cancel`}</Button>
        )}
      </div>
    </li>
  );
}

function Times({ job: { createdAt, startedAt, finishedAt } }: Pick<Properties, 'job'>) {
  const now = Date.now();
  const [text, instant] = finishedAt
    ? [t`ended ${ago(finishedAt, now)}`, finishedAt]
    : startedAt
      ? [t`started ${ago(startedAt, now)}`, startedAt]
      : [t`created ${ago(createdAt, now)}`, createdAt];
  return (
    <time dateTime={instant} title={localInstant(instant)} className="text-muted">
      {text}
    </time>
  );
}

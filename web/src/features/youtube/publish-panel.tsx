import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import {
  ContentYouTubeStatus,
  type ContentYouTubeStatusResult,
  PublishOnYouTube,
  type YouTubeJobFragment,
  type YouTubePrivacyStatus,
} from '../../gql/generated/operations.gen.ts';
import { api } from '../../lib/api.ts';
import { useAction } from '../../lib/hooks/use-action.ts';
import { Trans, t } from '../../lib/i18n.ts';
import { operationQuery } from '../../lib/query.ts';
import { Button } from '../../ui/button.tsx';
import { SelectField } from '../../ui/field.tsx';
import { ErrorNotice } from '../../ui/notice.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Progress } from '../../ui/progress.tsx';

const POLL_MS = 1_500;
const LINK = 'text-accent-text underline underline-offset-3';
const PRIVACY: readonly (readonly [YouTubePrivacyStatus, string])[] = [
  ['PRIVATE', t`Private: only you`],
  ['UNLISTED', t`Unlisted: anyone with the link`],
  ['PUBLIC', t`Public: anyone`],
];
const ACTIVE_STATES = {
  PENDING: t`Queued`,
  UPLOADING: t`Uploading to YouTube`,
  PROCESSING: t`Processing on YouTube`,
} as const;

const isActive = (job: YouTubeJobFragment | null | undefined): boolean => job != null && job.status in ACTIVE_STATES;

/**
 * Publishes a video to YouTube and shows the progress. Renders nothing without a connected channel or an earlier
 * publication.
 */
export function YouTubePublishPanel({ contentId, ready }: { contentId: string; ready: boolean }) {
  const { data, error, refetch } = useQuery({
    ...operationQuery(ContentYouTubeStatus, { id: contentId }),
    refetchInterval: ({ state }) => (isActive(state.data?.content?.youtubePublishJob) ? POLL_MS : false),
  });
  if (!data) return error === null ? null : <ErrorNotice error={error} />;
  const job = data.content?.youtubePublishJob ?? null;
  const { youtube } = data.me;
  if (!youtube && !job) return null;
  const mayUpload = youtube?.connected === true && youtube.hasUploadScope;
  return (
    <Panel title="YouTube" hint={job?.status === 'COMPLETE' ? undefined : hintOf(youtube)}>
      {job && <JobState job={job} />}
      {!isActive(job) && mayUpload && job?.status !== 'COMPLETE' && (
        <PublishForm contentId={contentId} ready={ready} again={job !== null} onPublished={() => void refetch()} />
      )}
      {!mayUpload && <Link to="/settings/account" className={LINK}>{t`Allow publishing to YouTube`}</Link>}
    </Panel>
  );
}

function hintOf(youtube: ContentYouTubeStatusResult['me']['youtube']): string {
  if (!youtube?.connected) return t`No YouTube channel is connected to your account.`;
  const channel = youtube.channelTitle;
  if (!youtube.hasUploadScope) {
    return channel
      ? t`${channel} is connected without permission to publish videos.`
      : t`Your channel is connected without permission to publish videos.`;
  }
  return channel
    ? t`Publish this video to ${channel} with its title, description and keywords.`
    : t`Publish this video to your channel with its title, description and keywords.`;
}

function JobState({ job }: { job: YouTubeJobFragment }) {
  const { status, progress, youtubeUrl, error } = job;
  if (status in ACTIVE_STATES)
    // Just looked up.
    return <Progress label={ACTIVE_STATES[status as keyof typeof ACTIVE_STATES]} percent={progress} />;
  if (status === 'ERROR') return <p className="rounded-lg bg-raised p-3 text-sm">{error}</p>;
  return (
    <p className="text-sm">
      <Trans>
        Published:{' '}
        <a href={youtubeUrl ?? undefined} rel="noreferrer" className={LINK}>
          {youtubeUrl}
        </a>
      </Trans>
    </p>
  );
}

interface FormProperties {
  readonly contentId: string;
  readonly ready: boolean;
  /** Whether there was an earlier attempt. */
  readonly again: boolean;
  readonly onPublished: () => void;
}

function PublishForm({ contentId, ready, again, onPublished }: FormProperties) {
  const [privacyStatus, setPrivacyStatus] = useState<YouTubePrivacyStatus>('PRIVATE');
  const action = useAction();
  const publish = async (): Promise<void> => {
    await api(PublishOnYouTube, { id: contentId, privacyStatus });
    onPublished();
  };
  return (
    <div className="space-y-3">
      <SelectField
        label={t`Visibility on YouTube`}
        value={privacyStatus}
        onChange={(event) =>
          setPrivacyStatus(PRIVACY.find(([name]) => name === event.currentTarget.value)?.[0] ?? 'PRIVATE')
        }
      >
        {PRIVACY.map(([name, label]) => (
          <option key={name} value={name}>
            {label}
          </option>
        ))}
      </SelectField>
      <Button busy={action.busy !== null} disabled={!ready} onClick={() => action.run('publish', publish)}>
        {again ? t`Try again` : t`Publish to YouTube`}
      </Button>
      {!ready && <p className="text-sm text-muted">{t`Available once the video is ready.`}</p>}
      {action.error !== null && <ErrorNotice error={action.error} />}
    </div>
  );
}

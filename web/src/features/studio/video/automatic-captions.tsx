import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import {
  CancelCaptionsJob,
  StudioAutomaticCaptions,
  type StudioAutomaticCaptionsResult,
  type StudioCaptionsFragment,
} from '../../../gql/generated/operations.gen.ts';
import { api } from '../../../lib/api.ts';
import { useAction } from '../../../lib/hooks/use-action.ts';
import { t } from '../../../lib/i18n.ts';
import { operationQuery } from '../../../lib/query.ts';
import { Button } from '../../../ui/button.tsx';
import { ErrorNotice } from '../../../ui/notice.tsx';
import { Progress } from '../../../ui/progress.tsx';
import { TranscribeForm } from './transcribe-form.tsx';
import { TranslateForm } from './translate-form.tsx';

const POLL_MS = 1_500;
type Job = NonNullable<StudioAutomaticCaptionsResult['content']>['captionsJobs'][number];

const activeJob = (data: StudioAutomaticCaptionsResult | undefined): Job | undefined =>
  data?.content?.captionsJobs.find(({ status }) => ['QUEUED', 'TRANSCODING', 'CANCELLING'].includes(status));

interface Properties {
  readonly contentId: string;
  /** Whether its video was processed. */
  readonly ready: boolean;
  readonly captions: readonly StudioCaptionsFragment[];
  /** Called with all captions when a job has ended. */
  readonly onMade: (captions: readonly StudioCaptionsFragment[]) => void;
}

/** Makes captions of a video from speech and by translation, or says what lacks; nothing where it is switched off. */
export function AutomaticCaptions({ contentId, ready, captions, onMade }: Properties) {
  const action = useAction();
  const { data, error, refetch } = useQuery({
    ...operationQuery(StudioAutomaticCaptions, { id: contentId }),
    refetchInterval: ({ state }) => (activeJob(state.data) ? POLL_MS : false),
  });
  const active = activeJob(data);
  const latest = data?.content?.captionsJobs[0];
  const onOrder = useEnd(data, active !== undefined, onMade, refetch);
  if (!data) return error === null ? null : <ErrorNotice error={error} />;
  const { speech, speechSetup, translation } = data.automaticCaptions;
  if (!speech && !translation && speechSetup === null) return null;
  const cancel = (jobId: string) => (): void =>
    action.run('cancel', async () => {
      await api(CancelCaptionsJob, { id: jobId });
      await refetch();
    });
  return (
    <section aria-label={t`Automatic captions`} className="space-y-4 rounded-lg border border-line p-4">
      <div className="space-y-1">
        <h3 className="font-semibold">{t`Automatic captions`}</h3>
        <p className="text-sm text-muted">{t`Marked as such in the player. Captions that you add are shown above them
          and never replaced.`}</p>
      </div>
      {action.error !== null && <ErrorNotice error={action.error} />}
      {active ? (
        <>
          <Progress
            label={active.kind === 'SPEECH' ? t`Making captions` : t`Translating captions`}
            percent={active.progress}
          />
          <Button
            busy={action.busy === 'cancel'}
            disabled={active.status === 'CANCELLING'}
            onClick={cancel(active.jobId)}
          >{t`Cancel`}</Button>
        </>
      ) : (
        <>
          {latest && <JobResult job={latest} />}
          {speech && <TranscribeForm {...{ contentId, ready, onOrder }} />}
          {speechSetup !== null && <p className="text-sm text-muted">{speechSetup}</p>}
          {translation && <TranslateForm {...{ contentId, ready, captions, onOrder }} />}
        </>
      )}
      {!ready && (speech || translation) && (
        <p className="text-sm text-muted">{t`Available once the video is ready.`}</p>
      )}
    </section>
  );
}

/** Calls `onMade` once when a job that was seen running, or was ordered here, has ended. Returns what to call then. */
function useEnd(
  data: StudioAutomaticCaptionsResult | undefined,
  active: boolean,
  onMade: Properties['onMade'],
  refetch: () => Promise<unknown>,
): () => Promise<void> {
  const [expected, setExpected] = useState(false);
  useEffect(() => {
    if (active && !expected) setExpected(true);
    if (active || !expected || !data?.content) return;
    setExpected(false);
    onMade(data.content.captions.edges.map(({ node }) => node));
  }, [active, expected, data, onMade]);
  return async () => {
    await refetch();
    setExpected(true);
  };
}

function JobResult({ job: { status, decision, error } }: { job: Job }) {
  if (status === 'ERROR') return <p className="rounded-lg bg-raised p-3 text-sm">{error}</p>;
  return status === 'COMPLETE' ? <p className="text-sm">{decision}</p> : null;
}

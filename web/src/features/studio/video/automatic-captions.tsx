import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import {
  CancelCaptionsJob,
  StudioAutomaticCaptions,
  type StudioAutomaticCaptionsResult,
  type StudioCaptionsFragment,
  StudioTranscriptionEstimate,
  TranscribeContent,
} from '../../../gql/generated/operations.gen.ts';
import { api } from '../../../lib/api.ts';
import { operationQuery } from '../../../lib/query.ts';
import { useAction } from '../../../lib/use-action.ts';
import { Button } from '../../../ui/button.tsx';
import { SelectField } from '../../../ui/field.tsx';
import { ErrorNotice } from '../../../ui/notice.tsx';
import { Progress } from '../../../ui/progress.tsx';
import { languageChoices } from '../content/languages.ts';

const POLL_MS = 1_500;
const LANGUAGES = languageChoices(null);
type Job = NonNullable<StudioAutomaticCaptionsResult['content']>['captionsJobs'][number];

const isActive = (job: Job | undefined): boolean =>
  job !== undefined && ['QUEUED', 'TRANSCODING', 'CANCELLING'].includes(job.status);

interface Properties {
  readonly contentId: string;
  /** Whether its video was processed. */
  readonly ready: boolean;
  /** Called with all captions when a job has ended. */
  readonly onMade: (captions: readonly StudioCaptionsFragment[]) => void;
}

/** Makes captions from the speech of a video; renders nothing where this server cannot. */
export function AutomaticCaptions({ contentId, ready, onMade }: Properties) {
  const [language, setLanguage] = useState('');
  const [estimate, setEstimate] = useState<number | null>(null);
  const action = useAction();
  const { data, error, refetch } = useQuery({
    ...operationQuery(StudioAutomaticCaptions, { id: contentId }),
    refetchInterval: ({ state }) => (isActive(state.data?.content?.captionsJobs[0]) ? POLL_MS : false),
  });
  const job = data?.content?.captionsJobs[0];
  const active = isActive(job);
  const known = useKnownEnd(data, active, onMade);
  if (!data) return error === null ? null : <ErrorNotice error={error} />;
  if (!data.automaticCaptions.speech) return null;
  const transcribe = (): void =>
    action.run('transcribe', async () => {
      setEstimate(null);
      known.expect();
      await api(TranscribeContent, { id: contentId, input: { language: language || null, again: true } });
      await refetch();
    });
  const cancel = (jobId: string) => (): void =>
    action.run('cancel', async () => {
      await api(CancelCaptionsJob, { id: jobId });
      await refetch();
    });
  const showEstimate = (): void =>
    action.run('estimate', async () => {
      const found = await api(StudioTranscriptionEstimate, { id: contentId });
      setEstimate(found.estimateTranscription.readyInSeconds);
    });
  return (
    <section aria-label="Captions from speech" className="space-y-3 rounded-lg border border-line p-4">
      <h3 className="font-semibold">Captions from speech</h3>
      <p className="text-sm text-muted">
        Marked as auto-generated in the player. Captions that you add are shown above them and never replaced.
      </p>
      {action.error !== null && <ErrorNotice error={action.error} />}
      {job && !active && <JobResult job={job} />}
      {active && job ? (
        <>
          <Progress label="Making captions" percent={job.progress} />
          <Button busy={action.busy === 'cancel'} disabled={job.status === 'CANCELLING'} onClick={cancel(job.jobId)}>
            Cancel
          </Button>
        </>
      ) : (
        <div className="flex flex-wrap items-end gap-2">
          <SelectField
            label="Language of the speech"
            value={language}
            onChange={(event) => setLanguage(event.currentTarget.value)}
          >
            <option value="">Detect automatically</option>
            {LANGUAGES.map(([tag, name]) => (
              <option key={tag} value={tag}>
                {name}
              </option>
            ))}
          </SelectField>
          <Button busy={action.busy === 'transcribe'} disabled={!ready} onClick={transcribe}>
            Generate captions
          </Button>
          <Button look="quiet" busy={action.busy === 'estimate'} disabled={!ready} onClick={showEstimate}>
            Estimate
          </Button>
        </div>
      )}
      {estimate !== null && !active && (
        <p className="text-sm">About {Math.max(1, Math.ceil(estimate / 60))} min, with the queue as it is.</p>
      )}
      {!ready && <p className="text-sm text-muted">Available once the video is ready.</p>}
    </section>
  );
}

/** Calls `onMade` once when a job that was seen running, or was started here, has ended. */
function useKnownEnd(
  data: StudioAutomaticCaptionsResult | undefined,
  active: boolean,
  onMade: Properties['onMade'],
): { expect(): void } {
  const [expected, setExpected] = useState(false);
  useEffect(() => {
    if (active && !expected) setExpected(true);
    if (active || !expected || !data?.content) return;
    setExpected(false);
    onMade(data.content.captions.edges.map(({ node }) => node));
  }, [active, expected, data, onMade]);
  return { expect: () => setExpected(true) };
}

function JobResult({ job: { status, decision, error } }: { job: Job }) {
  if (status === 'ERROR') return <p className="rounded-lg bg-raised p-3 text-sm">{error}</p>;
  return status === 'COMPLETE' ? <p className="text-sm">{decision}</p> : null;
}

import type { UpscaleStateFragment } from '../../../gql/generated/operations.gen.ts';
import { t } from '../../../lib/i18n.ts';
import { Button } from '../../../ui/button.tsx';
import { ErrorNotice } from '../../../ui/notice.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { Progress } from '../../../ui/progress.tsx';
import { estimateText } from './estimate-text.ts';
import { UpscaleChoices } from './upscale-choices.tsx';
import { isActive, type Upscale, useUpscale } from './use-upscale.ts';

interface Properties {
  readonly contentId: string;
  /** Whether the video is processed. */
  readonly ready: boolean;
}

/** Enlarges the pictures of a video: target, estimate, progress, what was done, and removal. */
export function UpscalePanel({ contentId, ready }: Properties) {
  const { loaded: upscale, error } = useUpscale(contentId);
  if (!upscale) return error === null ? null : <ErrorNotice error={error} />;
  const { state, canOrder, available, targets, estimate } = upscale;
  if (state === null && !canOrder) return null;
  const isOpen = !isActive(state) && !isOffered(state);
  return (
    <Panel
      title={t`Upscaling`}
      hint={t`Makes a larger quality with a neural network, which viewers can choose in the player.`}
    >
      {upscale.failure !== null && <ErrorNotice error={upscale.failure} />}
      {state && <UpscaleState upscale={state} />}
      {estimate && isOpen && <p className="text-sm">{estimateText(estimate)}</p>}
      {isOpen && available && targets.length > 0 && <UpscaleChoices upscale={upscale} />}
      <Commands upscale={upscale} ready={ready} />
      {!ready && <p className="text-sm text-muted">{t`Available once the video is ready.`}</p>}
      {ready && canOrder && !available && (
        <p className="text-sm text-muted">{t`Not available on this server: its operator has not installed what it
          takes.`}</p>
      )}
      {ready && available && targets.length === 0 && (
        <p className="text-sm text-muted">{t`Not available for this video: it is in high dynamic range, already very
          large or too small, or its original was deleted.`}</p>
      )}
    </Panel>
  );
}

/** Whether the enlarged video is a quality that viewers can choose. */
const isOffered = (state: UpscaleStateFragment | null): boolean =>
  state?.status === 'COMPLETE' && state.outcome === 'ENHANCED';

function Commands({ upscale, ready }: { upscale: Upscale; ready: boolean }) {
  const { state, busy, canOrder, available, targets } = upscale;
  const isPossible = ready && available && targets.length > 0;
  return (
    <div className="flex flex-wrap gap-2">
      {state && isActive(state) && (
        <Button
          busy={busy === 'cancel'}
          disabled={state.status === 'CANCELLING'}
          onClick={() => upscale.cancel(state.jobId)}
        >{t`Cancel`}</Button>
      )}
      {canOrder && !isActive(state) && !isOffered(state) && (
        <>
          <Button busy={busy === 'create'} disabled={!isPossible} onClick={upscale.create}>{t`Upscale`}</Button>
          <Button
            look="quiet"
            busy={busy === 'estimate'}
            disabled={!isPossible}
            onClick={upscale.showEstimate}
          >{t`Estimate`}</Button>
        </>
      )}
      {state && isOffered(state) && (
        <Button busy={busy === 'remove'} onClick={upscale.remove}>
          {t`Remove ${state.target}p enhanced`}
        </Button>
      )}
    </div>
  );
}

function UpscaleState({ upscale }: { upscale: UpscaleStateFragment }) {
  const { status, progress, error, decision, target } = upscale;
  if (isActive(upscale)) return <Progress label={t`Creating ${target}p enhanced`} percent={progress} />;
  if (status === 'ERROR') return <p className="rounded-lg bg-raised p-3 text-sm">{error}</p>;
  return status === 'COMPLETE' ? <p className="text-sm">{decision}</p> : null;
}

import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import {
  CancelUpscale,
  CreateUpscale,
  RemoveUpscale,
  StudioUpscale,
  StudioUpscaleEstimate,
  type StudioUpscaleEstimateResult,
  type StudioUpscaleResult,
  type UpscaleStateFragment,
} from '../../../gql/generated/operations.gen.ts';
import { isSwitchedOn } from '../../../gql/server-features.ts';
import { api } from '../../../lib/api.ts';
import { useAction } from '../../../lib/hooks/use-action.ts';
import { t } from '../../../lib/i18n.ts';
import { operationQuery } from '../../../lib/query.ts';
import { Button } from '../../../ui/button.tsx';
import { SelectField } from '../../../ui/field.tsx';
import { ErrorNotice } from '../../../ui/notice.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { Progress } from '../../../ui/progress.tsx';
import { estimateText } from './estimate-text.ts';

const POLL_MS = 1_500;
type Estimate = StudioUpscaleEstimateResult['estimateUpscale'];
type Model = StudioUpscaleResult['upscaling']['models'][number];

const isActive = (upscale: UpscaleStateFragment | null): boolean =>
  upscale !== null && ['QUEUED', 'TRANSCODING', 'CANCELLING'].includes(upscale.status);

/** Enlarges the pictures of a video: target, estimate, progress, what was done, and removal. */
export function UpscalePanel({ contentId, ready }: { contentId: string; ready: boolean }) {
  const [chosen, setChosen] = useState<number | null>(null);
  const [chosenModel, setChosenModel] = useState<string | null>(null);
  const [estimate, setEstimate] = useState<Estimate | null>(null);
  const action = useAction();
  const { data, error, refetch } = useQuery({
    ...operationQuery(StudioUpscale, { id: contentId }),
    refetchInterval: ({ state }) => (isActive(videoIn(state.data)?.upscale ?? null) ? POLL_MS : false),
  });
  if (!data) return error === null ? null : <ErrorNotice error={error} />;
  const { upscale = null, upscaleTargets: targets = [] } = videoIn(data) ?? {};
  const canOrder = isSwitchedOn('ENHANCEMENT');
  if (upscale === null && !canOrder) return null;
  const available = canOrder && data.upscaling.available;
  const models = data.upscaling.models.filter(({ state }) => state === 'READY');
  const target = chosen ?? upscale?.target ?? null;
  const before = models.some(({ name }) => name === upscale?.model) ? upscale?.model : null;
  const model = chosenModel ?? before ?? null;
  const then = (name: string, change: () => Promise<unknown>) => (): void =>
    action.run(name, async () => {
      await change();
      await refetch();
    });
  const showEstimate = (): void =>
    action.run('estimate', async () =>
      setEstimate((await api(StudioUpscaleEstimate, { id: contentId, target, model })).estimateUpscale),
    );
  const choose = (lines: number | null): void => {
    setChosen(lines);
    setEstimate(null);
  };
  const chooseModel = (name: string): void => {
    setChosenModel(name);
    setEstimate(null);
  };
  const isOffered = upscale?.status === 'COMPLETE' && upscale.outcome === 'ENHANCED';
  const isPossible = ready && available && targets.length > 0;
  return (
    <Panel
      title={t`Upscaling`}
      hint={t`Makes a larger quality with a neural network, which viewers can choose in the player.`}
    >
      {action.error !== null && <ErrorNotice error={action.error} />}
      {upscale && <UpscaleState upscale={upscale} />}
      {estimate && !isActive(upscale) && !isOffered && <p className="text-sm">{estimateText(estimate)}</p>}
      {!isActive(upscale) && !isOffered && available && targets.length > 0 && (
        <>
          <Targets targets={targets} target={target} onChoose={choose} />
          {models.length > 1 && <Models models={models} model={model} onChoose={chooseModel} />}
        </>
      )}
      <div className="flex flex-wrap gap-2">
        {isActive(upscale) && upscale && (
          <Button
            busy={action.busy === 'cancel'}
            disabled={upscale.status === 'CANCELLING'}
            onClick={then('cancel', () => api(CancelUpscale, { id: upscale.jobId }))}
          >{t`Cancel`}</Button>
        )}
        {canOrder && !isActive(upscale) && !isOffered && (
          <>
            <Button
              busy={action.busy === 'create'}
              disabled={!isPossible}
              onClick={then('create', () => api(CreateUpscale, { id: contentId, target }))}
            >{t`Upscale`}</Button>
            <Button
              look="quiet"
              busy={action.busy === 'estimate'}
              disabled={!isPossible}
              onClick={showEstimate}
            >{t`Estimate`}</Button>
          </>
        )}
        {isOffered && (
          <Button busy={action.busy === 'remove'} onClick={then('remove', () => api(RemoveUpscale, { id: contentId }))}>
            {t`Remove ${upscale.target}p enhanced`}
          </Button>
        )}
      </div>
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

function videoIn(data: StudioUpscaleResult | undefined) {
  return data?.content?.assets.videos.edges[0]?.node ?? null;
}

interface TargetsProps {
  readonly targets: readonly number[];
  readonly target: number | null;
  readonly onChoose: (target: number | null) => void;
}

function Targets({ targets, target, onChoose }: TargetsProps) {
  return (
    <SelectField
      label={t`Quality`}
      value={target === null ? '' : `${target}`}
      onChange={(event) => onChoose(event.target.value === '' ? null : Number(event.target.value))}
    >
      <option value="">{t`Automatic: twice the size`}</option>
      {targets.map((each) => (
        <option key={each} value={each}>
          {`${each}p`}
        </option>
      ))}
    </SelectField>
  );
}

interface ModelsProps {
  readonly models: readonly Model[];
  readonly model: string | null;
  readonly onChoose: (name: string) => void;
}

/** What the models of the platform are for; the operator's have names only. */
const MODEL_LABELS: Readonly<Record<string, string>> = {
  compressed: t`Compressed video (default)`,
  clean: t`Clean video of high quality`,
};

function modelText({ name, source, factors }: Model): string {
  const largest = Math.max(...factors);
  return source === 'BUILT_IN' ? (MODEL_LABELS[name] ?? name) : t`${name} (up to ${largest}x)`;
}

function Models({ models, model, onChoose }: ModelsProps) {
  const usual = models.find(({ isDefault }) => isDefault)?.name ?? '';
  return (
    <SelectField label={t`Model`} value={model ?? usual} onChange={(event) => onChoose(event.target.value)}>
      {models.map((each) => (
        <option key={each.name} value={each.name}>
          {modelText(each)}
        </option>
      ))}
    </SelectField>
  );
}

function UpscaleState({ upscale }: { upscale: UpscaleStateFragment }) {
  const { status, progress, error, decision, target } = upscale;
  if (isActive(upscale)) return <Progress label={t`Creating ${target}p enhanced`} percent={progress} />;
  if (status === 'ERROR') return <p className="rounded-lg bg-raised p-3 text-sm">{error}</p>;
  return status === 'COMPLETE' ? <p className="text-sm">{decision}</p> : null;
}

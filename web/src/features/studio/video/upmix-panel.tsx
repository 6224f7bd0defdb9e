import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import {
  CancelUpmix,
  CreateUpmix,
  RemoveUpmix,
  StudioUpmix,
  StudioUpmixEstimate,
  type StudioUpmixEstimateResult,
  type UpmixLayout,
  type UpmixStateFragment,
} from '../../../gql/generated/operations.gen.ts';
import { isSwitchedOn } from '../../../gql/server-features.ts';
import { api } from '../../../lib/api.ts';
import { useAction } from '../../../lib/hooks/use-action.ts';
import { formatLocale, t } from '../../../lib/i18n.ts';
import { operationQuery } from '../../../lib/query.ts';
import { Button } from '../../../ui/button.tsx';
import { SelectField } from '../../../ui/field.tsx';
import { ErrorNotice } from '../../../ui/notice.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { Progress } from '../../../ui/progress.tsx';
import { estimateText } from './estimate-text.ts';

const POLL_MS = 1_500;
type Estimate = StudioUpmixEstimateResult['estimateUpmix'];

const isActive = (upmix: UpmixStateFragment | null): boolean =>
  upmix !== null && ['QUEUED', 'TRANSCODING', 'CANCELLING'].includes(upmix.status);

const TEXTS: Readonly<Record<UpmixLayout, Readonly<Record<'create' | 'creating' | 'remove', string>>>> = {
  SURROUND_5_1: { create: t`Create 5.1 upmix`, creating: t`Creating 5.1 upmix`, remove: t`Remove 5.1 upmix` },
  SURROUND_7_1: { create: t`Create 7.1 upmix`, creating: t`Creating 7.1 upmix`, remove: t`Remove 7.1 upmix` },
};

const tenths = new Intl.NumberFormat(formatLocale, { minimumFractionDigits: 1, maximumFractionDigits: 1 });

/** Makes 5.1 or 7.1 of the sound of a video: layout, estimate, progress, what was done, and removal. */
export function UpmixPanel({ contentId, ready }: { contentId: string; ready: boolean }) {
  const [chosen, setChosen] = useState<UpmixLayout | null>(null);
  const [estimate, setEstimate] = useState<Estimate | null>(null);
  const action = useAction();
  const { data, error, refetch } = useQuery({
    ...operationQuery(StudioUpmix, { id: contentId }),
    refetchInterval: ({ state }) => (isActive(upmixIn(state.data)) ? POLL_MS : false),
  });
  if (!data) return error === null ? null : <ErrorNotice error={error} />;
  const upmix = upmixIn(data);
  const canOrder = isSwitchedOn('ENHANCEMENT');
  if (upmix === null && !canOrder) return null;
  const layout = chosen ?? upmix?.layout ?? 'SURROUND_5_1';
  const then = (name: string, change: () => Promise<unknown>) => (): void =>
    action.run(name, async () => {
      await change();
      await refetch();
    });
  const showEstimate = (): void =>
    action.run('estimate', async () =>
      setEstimate((await api(StudioUpmixEstimate, { id: contentId, layout })).estimateUpmix),
    );
  const choose = (next: UpmixLayout): void => {
    setChosen(next);
    setEstimate(null);
  };
  const isOffered = upmix?.status === 'COMPLETE';
  return (
    <Panel
      title={t`Surround sound`}
      hint={t`Makes 5.1 or 7.1 of stereo or mono, which viewers can choose in the player.`}
    >
      {action.error !== null && <ErrorNotice error={action.error} />}
      {upmix && <UpmixState upmix={upmix} />}
      {estimate && !isActive(upmix) && !isOffered && <p className="text-sm">{estimateText(estimate)}</p>}
      {canOrder && !isActive(upmix) && !isOffered && (
        <SelectField
          label={t`Channels`}
          value={layout}
          onChange={(event) => choose(event.target.value === 'SURROUND_7_1' ? 'SURROUND_7_1' : 'SURROUND_5_1')}
        >
          <option value="SURROUND_5_1">5.1</option>
          <option value="SURROUND_7_1">7.1</option>
        </SelectField>
      )}
      <div className="flex flex-wrap gap-2">
        {isActive(upmix) && upmix && (
          <Button
            busy={action.busy === 'cancel'}
            disabled={upmix.status === 'CANCELLING'}
            onClick={then('cancel', () => api(CancelUpmix, { id: upmix.jobId }))}
          >{t`Cancel`}</Button>
        )}
        {canOrder && !isActive(upmix) && !isOffered && (
          <>
            <Button
              busy={action.busy === 'create'}
              disabled={!ready}
              onClick={then('create', () => api(CreateUpmix, { id: contentId, layout }))}
            >
              {TEXTS[layout].create}
            </Button>
            <Button
              look="quiet"
              busy={action.busy === 'estimate'}
              disabled={!ready}
              onClick={showEstimate}
            >{t`Estimate`}</Button>
          </>
        )}
        {isOffered && (
          <Button busy={action.busy === 'remove'} onClick={then('remove', () => api(RemoveUpmix, { id: contentId }))}>
            {TEXTS[upmix.layout].remove}
          </Button>
        )}
      </div>
      {!ready && <p className="text-sm text-muted">{t`Available once the video is ready.`}</p>}
    </Panel>
  );
}

function upmixIn(
  data:
    | { content: { assets: { videos: { edges: readonly { node: { upmix: UpmixStateFragment | null } }[] } } } | null }
    | undefined,
): UpmixStateFragment | null {
  return data?.content?.assets.videos.edges[0]?.node.upmix ?? null;
}

function UpmixState({ upmix }: { upmix: UpmixStateFragment }) {
  const { status, progress, error, layout, decision, gainDb, sourceLufs, upmixLufs } = upmix;
  if (isActive(upmix)) return <Progress label={TEXTS[layout].creating} percent={progress} />;
  if (status === 'ERROR') return <p className="rounded-lg bg-raised p-3 text-sm">{error}</p>;
  if (status !== 'COMPLETE') return null;
  const levels = [
    gainDb ? t`Gain ${tenths.format(gainDb)} dB.` : '',
    sourceLufs !== null && upmixLufs !== null
      ? t`Loudness ${tenths.format(sourceLufs)} LUFS before, ${tenths.format(upmixLufs)} LUFS after, without gain.`
      : '',
  ];
  return (
    <p className="text-sm">
      {decision} <span className="text-muted">{levels.filter(Boolean).join(' ')}</span>
    </p>
  );
}

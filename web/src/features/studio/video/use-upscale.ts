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
import { operationQuery } from '../../../lib/query.ts';

const POLL_MS = 1_500;
type Estimate = StudioUpscaleEstimateResult['estimateUpscale'];

interface Choice {
  readonly target: number | null;
  readonly model: string | null;
}

export const isActive = (upscale: UpscaleStateFragment | null): boolean =>
  upscale !== null && ['QUEUED', 'TRANSCODING', 'CANCELLING'].includes(upscale.status);

/** The enlargement of a video once it is loaded: what is known of it, what is chosen for it, and its commands. */
export type Upscale = NonNullable<ReturnType<typeof useUpscale>['loaded']>;

/** The enlargement of a video, whose state is polled while it runs; `loaded` is null before. */
export function useUpscale(contentId: string) {
  const [chosen, setChosen] = useState<Choice>({ target: null, model: null });
  const [estimate, setEstimate] = useState<Estimate | null>(null);
  const action = useAction();
  const { data, error, refetch } = useQuery({
    ...operationQuery(StudioUpscale, { id: contentId }),
    refetchInterval: ({ state }) => (isActive(videoIn(state.data)?.upscale ?? null) ? POLL_MS : false),
  });
  if (!data) return { loaded: null, error };
  const { upscale: state = null, upscaleTargets: targets = [] } = videoIn(data) ?? {};
  const models = data.upscaling.models.filter((model) => model.state === 'READY');
  const target = chosen.target ?? state?.target ?? null;
  const before = models.some(({ name }) => name === state?.model) ? state?.model : null;
  const model = chosen.model ?? before ?? null;
  const canOrder = isSwitchedOn('ENHANCEMENT');
  const run = (name: string, change: () => Promise<unknown>): void =>
    action.run(name, async () => {
      await change();
      await refetch();
    });
  const loaded = {
    ...{ state, targets, target, models, model, estimate, canOrder },
    /** Whether the server can do it now. */
    available: canOrder && data.upscaling.available,
    busy: action.busy,
    failure: action.error,
    choose: (choice: Partial<Choice>) => {
      setChosen({ ...chosen, ...choice });
      setEstimate(null);
    },
    create: () => run('create', () => api(CreateUpscale, { id: contentId, target })),
    cancel: (id: string) => run('cancel', () => api(CancelUpscale, { id })),
    remove: () => run('remove', () => api(RemoveUpscale, { id: contentId })),
    showEstimate: () =>
      action.run('estimate', async () =>
        setEstimate((await api(StudioUpscaleEstimate, { id: contentId, target, model })).estimateUpscale),
      ),
  };
  return { loaded, error };
}

function videoIn(data: StudioUpscaleResult | undefined) {
  return data?.content?.assets.videos.edges[0]?.node ?? null;
}

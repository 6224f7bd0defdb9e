import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { ContentWaveform, CreateContentWaveform } from '../../../gql/generated/operations.gen.ts';
import { api } from '../../../lib/api.ts';
import { t } from '../../../lib/i18n.ts';
import { operationQuery } from '../../../lib/query.ts';
import { type Peaks, readPeaks } from './waveform.ts';

const EVERY_MS = 2_000;

export interface Waveform {
  readonly peaks: Peaks | null;
  /** Why there is none. */
  readonly note: string | null;
}

/** The waveform of a content, which is made when it is first wanted. */
export function useWaveform(id: string): Waveform {
  const client = useQueryClient();
  const query = operationQuery(ContentWaveform, { id });
  const { data, error } = useQuery({
    ...query,
    refetchInterval: ({ state }) => (state.data?.content?.waveform?.status === 'QUEUED' ? EVERY_MS : false),
  });
  const order = useMutation({
    mutationFn: () => api(CreateContentWaveform, { id }),
    onSuccess: () => client.invalidateQueries({ queryKey: query.queryKey }),
  });
  const waveform = data?.content?.waveform;
  const { mutate, isIdle } = order;
  const isWanted = data !== undefined && (waveform == null || waveform.status === 'FAILED') && isIdle;
  useEffect(() => {
    if (isWanted) mutate();
  }, [isWanted, mutate]);
  const [interval, pairs] = [waveform?.millisecondsPerPair ?? null, waveform?.pairs ?? null];
  const peaks = useMemo(
    () => (interval === null || pairs === null ? null : readPeaks(interval, pairs)),
    [interval, pairs],
  );
  if (peaks) return { peaks, note: null };
  const failure = order.error ?? error;
  if (failure) return { peaks: null, note: failure.message };
  if (waveform?.status === 'FAILED' && !order.isPending)
    return { peaks: null, note: t`The waveform could not be made.` };
  return { peaks: null, note: t`The waveform is being made.` };
}

import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import {
  type BroadcastSignFragment,
  BroadcastStart,
  type BroadcastStartResult,
  type ImageFragment,
} from '../../gql/generated/operations.gen.ts';
import { ApiError } from '../../lib/api.ts';
import { clockTime, localInstant } from '../../lib/format.ts';
import { t } from '../../lib/i18n.ts';
import { operationQuery } from '../../lib/query.ts';
import { ResponsiveImage } from '../../ui/image.tsx';
import { isUpcoming, startText } from '../browse/broadcast-sign.ts';

interface Properties {
  readonly id: string;
  /** As it was when the page was loaded. */
  readonly broadcast: BroadcastSignFragment;
  readonly image: ImageFragment | null;
  /** Called once it has begun. */
  readonly onStart: () => void;
  /** Over its poster, for frames on other sites, which it fills. */
  readonly top?: ReactNode;
}

const IN_PAGE = 'aspect-video max-h-[78dvh]';
const SECOND_MS = 1_000;
const DAY_SECONDS = 86_400;
/** From so long before its time on, and after it, the page asks often. */
const NEAR_MS = 120_000;
const POLL_NEAR_MS = 3_000;
const POLL_FAR_MS = 30_000;

/** The place of the player before a broadcast begins: its poster, when that is, and how long it takes until then. */
export function Countdown({ id, broadcast: first, image, onStart, top }: Properties) {
  const [nowMs, setNowMs] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNowMs(Date.now()), SECOND_MS);
    return () => clearInterval(timer);
  }, []);
  const { data, error } = useQuery({
    ...operationQuery(BroadcastStart, { id }),
    gcTime: 0,
    refetchInterval: ({ state }) => pollMs(broadcastIn(state.data) ?? first),
    refetchOnWindowFocus: true,
  });
  const broadcast = broadcastIn(data) ?? first;
  const hasBegun = !isUpcoming(broadcast);
  useEffect(() => {
    if (hasBegun) onStart();
  }, [hasBegun, onStart]);
  const isGone = error instanceof ApiError && error.code === 'RESOURCE_NOT_FOUND';
  return (
    <div className={`relative w-full overflow-hidden bg-black text-white ${top ? 'h-full' : IN_PAGE}`}>
      {image && <ResponsiveImage image={image} sizes="100vw" eager className="size-full opacity-50" />}
      <div className="absolute inset-0 grid place-items-center content-center gap-1 p-4 text-center">
        {isGone ? (
          <p role="status" className="text-lg font-semibold">{t`This broadcast does not take place.`}</p>
        ) : (
          <Remaining scheduledAt={broadcast.scheduledAt} nowMs={nowMs} />
        )}
      </div>
      {top && <div className="absolute inset-x-0 top-0 p-4">{top}</div>}
    </div>
  );
}

function Remaining({ scheduledAt, nowMs }: { readonly scheduledAt: string | null; readonly nowMs: number }) {
  const seconds = scheduledAt === null ? 0 : Math.ceil((Date.parse(scheduledAt) - nowMs) / SECOND_MS);
  const [isLate, isNear] = [seconds <= 0, seconds < DAY_SECONDS];
  return (
    <>
      {isNear && (
        <p className="text-sm text-white/80">
          {isLate ? t`The broadcast begins in a moment` : t`The broadcast begins in`}
        </p>
      )}
      <p role="timer" className="text-2xl font-bold tabular-nums sm:text-4xl">
        {isLate && t`Waiting for the picture…`}
        {!isLate && (isNear ? clockTime(seconds) : startText(scheduledAt ?? '', nowMs))}
      </p>
      {scheduledAt !== null && (
        <p className="text-sm text-white/80">
          <time dateTime={scheduledAt}>{localInstant(scheduledAt)}</time>
        </p>
      )}
    </>
  );
}

function broadcastIn(data: BroadcastStartResult | undefined): BroadcastSignFragment | null {
  return data?.content && 'broadcast' in data.content ? (data.content.broadcast ?? null) : null;
}

function pollMs({ scheduledAt }: BroadcastSignFragment): number {
  return scheduledAt !== null && Date.parse(scheduledAt) - Date.now() > NEAR_MS ? POLL_FAR_MS : POLL_NEAR_MS;
}

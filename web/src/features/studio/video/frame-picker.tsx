import { useId, useState } from 'react';
import {
  SetThumbnailFrame,
  type StudioContentFragment,
  StudioContentItem,
} from '../../../gql/generated/operations.gen.ts';
import { ApiError, api } from '../../../lib/api.ts';
import { clockTime, spokenTime } from '../../../lib/format.ts';
import { useAction } from '../../../lib/hooks/use-action.ts';
import { t } from '../../../lib/i18n.ts';
import { StillPicture } from '../../../player/still-picture.tsx';
import { type Storyboard, useStill } from '../../../player/storyboard.ts';
import { Button } from '../../../ui/button.tsx';
import { pickImage } from '../../../ui/image.tsx';
import { ErrorNotice } from '../../../ui/notice.tsx';

const POLL_MS = 700;
const TIMEOUT_MS = 60_000;

interface Properties {
  readonly content: StudioContentFragment;
  /** Seconds. */
  readonly duration: number;
  readonly storyboard: Storyboard;
  readonly onChosen: () => void;
}

/** Selects a frame of the video as thumbnail, with a slider and a storyboard preview. */
export function FramePicker({ content, duration, storyboard, onChosen }: Properties) {
  const [time, setTime] = useState(0);
  const [done, setDone] = useState(false);
  const action = useAction();
  const id = useId();
  const [open, setOpen] = useState(false);
  const still = useStill(storyboard, time, duration, open);
  const choose = async (): Promise<void> => {
    setDone(false);
    await setThumbnailFrame(content.id, time);
    setDone(true);
    onChosen();
  };
  return (
    <details className="rounded-lg border border-line" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="px-3 py-2.5 font-semibold">{t`Select from video`}</summary>
      <div className="flex flex-wrap items-center gap-5 border-t border-line p-4">
        {still && <StillPicture still={still} className="aspect-video w-full rounded-lg bg-black sm:w-56" />}
        <div className="min-w-0 grow basis-56 space-y-4">
          <div className="space-y-1.5">
            <label htmlFor={id} className="block text-sm font-semibold">{t`Time`}</label>
            <input
              id={id}
              dir="ltr"
              type="range"
              min={0}
              max={duration}
              step={0.1}
              value={time}
              aria-valuetext={spokenTime(time)}
              onChange={(event) => {
                setTime(event.currentTarget.valueAsNumber);
                setDone(false);
              }}
              className="block h-6 w-full accent-accent"
            />
            <p className="text-sm text-muted tabular-nums">{t`${clockTime(time)} of ${clockTime(duration)}`}</p>
          </div>
          <div className="flex flex-wrap items-center gap-4">
            <Button
              busy={action.busy !== null}
              onClick={() => action.run('choose', choose)}
            >{t`Use this frame`}</Button>
            <p role="status" className="text-sm text-sea">
              {done ? t`Thumbnail updated.` : ''}
            </p>
          </div>
          {action.error !== null && <ErrorNotice error={action.error} />}
        </div>
      </div>
    </details>
  );
}

/** Sets a frame as thumbnail and waits until a worker has extracted it. Throws ApiError on timeout. */
async function setThumbnailFrame(id: string, timeSeconds: number): Promise<void> {
  const poster = async (): Promise<string | undefined> => {
    const { content } = await api(StudioContentItem, { id });
    return content ? pickImage(content.assets.images, 'POSTER')?.url : undefined;
  };
  const former = await poster();
  await api(SetThumbnailFrame, { id, timeMs: Math.round(1_000 * timeSeconds) });
  const deadline = Date.now() + TIMEOUT_MS;
  while ((await poster()) === former) {
    if (Date.now() > deadline) {
      const suggestedFix = t`Check again later, or select another frame.`;
      throw new ApiError({
        message: t`The thumbnail is taking longer than expected.`,
        extensions: { code: 'TRANSCODE_FAILED', suggestedFix },
      });
    }
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

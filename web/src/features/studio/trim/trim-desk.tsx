import { useId, useState } from 'react';
import { TrimVideo } from '../../../gql/generated/operations.gen.ts';
import { api } from '../../../lib/api.ts';
import { clockTime } from '../../../lib/format.ts';
import { t } from '../../../lib/i18n.ts';
import { Button } from '../../../ui/button.tsx';
import { Confirm } from '../../../ui/confirm.tsx';
import { Icon } from '../../../ui/icons.tsx';
import { useEditorVideo } from '../captions-editor/use-editor-video.ts';
import { useWaveform } from '../captions-editor/use-waveform.ts';
import { EditBar } from '../form/edit-bar.tsx';
import { ClipForm } from './clip-form.tsx';
import { RemovedList } from './removed-list.tsx';
import {
  type Edge,
  keptParts,
  LEAST_KEPT_MS,
  lengthOf,
  moveClipEdge,
  movePartEdge,
  type Part,
  removePart,
  removeUntil,
  rounded,
} from './trim-parts.ts';
import { TrimTimeline } from './trim-timeline.tsx';
import { usePreview } from './use-preview.ts';

interface Properties {
  readonly contentId: string;
  readonly title: string;
  readonly url: string;
  readonly durationMs: number;
  readonly onChange: () => void;
}

/** The video over a timeline: either parts are removed, or one is chosen for a clip. */
export function TrimDesk({ contentId, title, url, durationMs, onChange }: Properties) {
  const [removed, setRemoved] = useState<readonly Part[]>([]);
  const [clip, setClip] = useState<Part | null>(null);
  const [confirming, setConfirming] = useState(false);
  const whyNoClip = useId();
  const player = useEditorVideo(url);
  const waveform = useWaveform(contentId);
  const shaded = clip === null ? removed : keptParts([clip], durationMs);
  usePreview(player.video, shaded, durationMs);
  const kept = keptParts(removed, durationMs);
  const isDirty = removed.length > 0;
  const problem = problemOf(kept);
  const length = clockTime(lengthOf(kept) / 1000);
  const save = async (): Promise<void> => {
    await api(TrimVideo, { id: contentId, keep: rounded(kept) });
    setRemoved([]);
    onChange();
  };
  const startClip = (): void => {
    const startMs = Math.min(player.timeMs(), Math.max(0, durationMs - LEAST_KEPT_MS));
    setClip({ startMs: Math.round(startMs), endMs: Math.min(durationMs, Math.round(startMs) + 30_000) });
  };
  return (
    <form
      aria-label={t`Trim`}
      className="space-y-4"
      onSubmit={(event) => {
        event.preventDefault();
        if (isDirty && problem === null) setConfirming(true);
      }}
    >
      <div
        ref={player.frame}
        className="relative mx-auto max-w-[max(20rem,min(48rem,46dvh))] overflow-hidden rounded-lg bg-black"
      >
        {/* biome-ignore lint/a11y/useMediaCaption: a preview of what is edited */}
        <video
          ref={player.video}
          controls
          playsInline
          preload="metadata"
          aria-label={t`Preview`}
          className="aspect-video w-full"
        />
      </div>
      <div role="toolbar" aria-label={t`Trim`} className="flex flex-wrap items-center gap-1">
        <Button look="plain" className="text-sm" onClick={player.toggle}>
          <Icon name={player.isPlaying ? 'pause' : 'play'} className="size-4" />{' '}
          {player.isPlaying ? t`Pause` : t`Play preview`}
        </Button>
        {clip === null && (
          <RemoveButtons
            onUntil={(edge) => setRemoved(removeUntil(removed, edge, player.timeMs(), durationMs))}
            onPart={() => setRemoved(removePart(removed, player.timeMs(), durationMs))}
          />
        )}
        {clip === null && (
          <Button
            look="quiet"
            className="text-sm"
            disabled={isDirty}
            aria-describedby={isDirty ? whyNoClip : undefined}
            onClick={startClip}
          >{t`Make a clip`}</Button>
        )}
        {clip === null && isDirty && (
          <span id={whyNoClip} className="text-sm text-muted">
            {t`Save or discard the removed parts first to make a clip.`}
          </span>
        )}
      </div>
      <TrimTimeline
        durationMs={durationMs}
        parts={clip === null ? removed : [clip]}
        removed={shaded}
        tone={clip === null ? 'removed' : 'outside'}
        nameOf={clip === null ? nameOfRemoved : nameOfClip}
        peaks={waveform.peaks}
        note={waveform.note}
        video={player.video}
        onSeek={player.seek}
        onEdge={(index, edge, toMs) =>
          clip === null
            ? setRemoved(movePartEdge(removed, index, edge, toMs, durationMs))
            : setClip(moveClipEdge(clip, edge, toMs, durationMs))
        }
      />
      <p className="text-sm text-muted">
        {t`Arrow keys move a handle by 0.1 seconds, with Shift by 1 second. The preview skips what is removed.`}
      </p>
      {clip === null ? (
        <>
          <RemovedList
            removed={removed}
            onSeek={player.seek}
            onKeep={(index) => setRemoved(removed.filter((_, at) => at !== index))}
          />
          {isDirty && (
            <p role="status" className={problem === null ? 'text-muted' : 'text-danger'}>
              {problem ?? t`The video will be ${length} long.`}
            </p>
          )}
          <EditBar busy={false} saved={false} isDirty={isDirty} onDiscard={() => setRemoved([])} />
        </>
      ) : (
        <ClipForm contentId={contentId} title={title} clip={clip} onClose={() => setClip(null)} />
      )}
      <Confirm
        open={confirming}
        title={t`Save the trimmed video?`}
        confirmLabel={t`Save`}
        look="primary"
        onConfirm={save}
        onClose={() => setConfirming(false)}
      >
        <p>{t`Viewers watch the video as it is until the trimmed one is processed. Captions and chapters move along. The
          original is kept, so you can revert to it.`}</p>
      </Confirm>
    </form>
  );
}

const nameOfRemoved = (edge: Edge, number: number): string =>
  edge === 'start' ? t`Start of removed part ${number}` : t`End of removed part ${number}`;
const nameOfClip = (edge: Edge): string => (edge === 'start' ? t`Start of the clip` : t`End of the clip`);

function problemOf(kept: readonly Part[]): string | null {
  if (kept.length === 0) return t`Nothing would be left of the video.`;
  const isShort = kept.some(({ startMs, endMs }) => endMs - startMs < LEAST_KEPT_MS);
  return isShort ? t`Each part that is kept must be a second or longer.` : null;
}

interface RemoveProperties {
  readonly onUntil: (edge: 'start' | 'end') => void;
  readonly onPart: () => void;
}

function RemoveButtons({ onUntil, onPart }: RemoveProperties) {
  return (
    <>
      <Button look="quiet" className="text-sm" onClick={() => onUntil('start')}>{t`Remove everything before`}</Button>
      <Button look="quiet" className="text-sm" onClick={() => onUntil('end')}>{t`Remove everything after`}</Button>
      <Button look="quiet" className="text-sm" onClick={onPart}>{t`Remove a part`}</Button>
    </>
  );
}

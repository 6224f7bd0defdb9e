import { useState } from 'react';
import { TrimVideo } from '../../../gql/generated/operations.gen.ts';
import { api } from '../../../lib/api.ts';
import { t } from '../../../lib/i18n.ts';
import { Confirm } from '../../../ui/confirm.tsx';
import { type EditorVideo, useEditorVideo } from '../captions-editor/use-editor-video.ts';
import { useWaveform } from '../captions-editor/use-waveform.ts';
import { ClipForm } from './clip-form.tsx';
import { rounded } from './trim-parts.ts';
import { TrimResult } from './trim-result.tsx';
import { TrimTimeline } from './trim-timeline.tsx';
import { TrimToolbar } from './trim-toolbar.tsx';
import { usePreview } from './use-preview.ts';
import { useTrim } from './use-trim.ts';

interface Properties {
  readonly contentId: string;
  readonly title: string;
  readonly url: string;
  readonly durationMs: number;
  readonly onChange: () => void;
}

/** The video over a timeline: either parts are removed, or one is chosen for a clip. */
export function TrimDesk({ contentId, title, url, durationMs, onChange }: Properties) {
  const trim = useTrim(durationMs);
  const [confirming, setConfirming] = useState(false);
  const player = useEditorVideo(url);
  const waveform = useWaveform(contentId);
  usePreview(player.video, trim.outside, durationMs);
  const save = async (): Promise<void> => {
    await api(TrimVideo, { id: contentId, keep: rounded(trim.kept) });
    trim.keepAll();
    onChange();
  };
  return (
    <form
      aria-label={t`Trim`}
      className="space-y-4"
      onSubmit={(event) => {
        event.preventDefault();
        if (trim.isDirty && trim.problem === null) setConfirming(true);
      }}
    >
      <PreviewVideo player={player} />
      <TrimToolbar trim={trim} player={player} />
      <TrimTimeline trim={trim} durationMs={durationMs} waveform={waveform} player={player} />
      <p className="text-sm text-muted">
        {t`Arrow keys move a handle by 0.1 seconds, with Shift by 1 second. The preview skips what is removed.`}
      </p>
      {trim.clip === null ? (
        <TrimResult trim={trim} onSeek={player.seek} />
      ) : (
        <ClipForm contentId={contentId} title={title} clip={trim.clip} onClose={trim.endClip} />
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

function PreviewVideo({ player }: { player: EditorVideo }) {
  return (
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
  );
}

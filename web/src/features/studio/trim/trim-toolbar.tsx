import { useId } from 'react';
import { t } from '../../../lib/i18n.ts';
import { Button } from '../../../ui/button.tsx';
import { Icon } from '../../../ui/icons.tsx';
import type { EditorVideo } from '../captions-editor/use-editor-video.ts';
import type { Trim } from './use-trim.ts';

interface Properties {
  readonly trim: Trim;
  readonly player: EditorVideo;
}

/** Plays the preview, removes parts at its position, and starts a clip there. */
export function TrimToolbar({ trim, player }: Properties) {
  return (
    <div role="toolbar" aria-label={t`Trim`} className="flex flex-wrap items-center gap-1">
      <Button look="plain" className="text-sm" onClick={player.toggle}>
        <Icon name={player.isPlaying ? 'pause' : 'play'} className="size-4" />{' '}
        {player.isPlaying ? t`Pause` : t`Play preview`}
      </Button>
      {trim.clip === null && <EditButtons trim={trim} player={player} />}
    </div>
  );
}

function EditButtons({ trim, player }: Properties) {
  const whyNoClip = useId();
  const { isDirty, removeUntil } = trim;
  return (
    <>
      <Button
        look="quiet"
        className="text-sm"
        onClick={() => removeUntil('start', player.timeMs())}
      >{t`Remove everything before`}</Button>
      <Button
        look="quiet"
        className="text-sm"
        onClick={() => removeUntil('end', player.timeMs())}
      >{t`Remove everything after`}</Button>
      <Button
        look="quiet"
        className="text-sm"
        onClick={() => trim.removePart(player.timeMs())}
      >{t`Remove a part`}</Button>
      <Button
        look="quiet"
        className="text-sm"
        disabled={isDirty}
        aria-describedby={isDirty ? whyNoClip : undefined}
        onClick={() => trim.startClip(player.timeMs())}
      >{t`Make a clip`}</Button>
      {isDirty && (
        <span id={whyNoClip} className="text-sm text-muted">
          {t`Save or discard the removed parts first to make a clip.`}
        </span>
      )}
    </>
  );
}

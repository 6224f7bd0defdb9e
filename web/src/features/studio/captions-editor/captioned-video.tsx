import { t } from '../../../lib/i18n.ts';
import type { EditedCue } from './cues.ts';
import type { EditorVideo } from './use-editor-video.ts';

/** The video of the editor, with the cue of its position over it. */
export function CaptionedVideo({ player, shown }: { player: EditorVideo; shown: EditedCue | null }) {
  return (
    <div ref={player.frame} className="relative self-start overflow-hidden rounded-lg bg-black">
      {/* biome-ignore lint/a11y/useMediaCaption: the edited captions are drawn over it */}
      <video
        ref={player.video}
        controls
        playsInline
        preload="metadata"
        aria-label={t`Video`}
        className="aspect-video w-full"
      />
      {shown && (
        <p className="pointer-events-none absolute inset-x-4 bottom-12 text-center">
          <span dir="auto" className="inline-block rounded bg-black/80 px-2 py-1 whitespace-pre-line text-white">
            {shown.text.replaceAll(/<\/?[biu]>/g, '')}
          </span>
        </p>
      )}
    </div>
  );
}

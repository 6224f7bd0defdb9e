import { useQuery } from '@tanstack/react-query';
import { CaptionsEditor as EditorVideo } from '../../../gql/generated/operations.gen.ts';
import { t } from '../../../lib/i18n.ts';
import { operationQuery } from '../../../lib/query.ts';
import { sameOriginUrl } from '../../../lib/url.ts';
import { ErrorNotice } from '../../../ui/notice.tsx';
import { useEditorVideo } from '../captions-editor/use-editor-video.ts';

/** Plays a video small. It is no view. */
export function SummaryPlayer({ contentId, title }: { contentId: string; title: string }) {
  const source = useQuery(operationQuery(EditorVideo, { id: contentId }));
  const playlistUrl = source.data?.content?.assets.videos.edges[0]?.node.playlistUrl;
  const player = useEditorVideo(playlistUrl ? sameOriginUrl(playlistUrl) : null);
  return (
    <div ref={player.frame} className="relative bg-black">
      {/* biome-ignore lint/a11y/useMediaCaption: the player adds the captions of the stream */}
      <video
        ref={player.video}
        controls
        autoPlay
        playsInline
        aria-label={t`Preview of ${title}`}
        className="aspect-video w-full"
      />
      {source.error !== null && <ErrorNotice error={source.error} />}
    </div>
  );
}

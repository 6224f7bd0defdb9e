import { useQuery } from '@tanstack/react-query';
import { TrimEditor as TrimEditorData } from '../../../gql/generated/operations.gen.ts';
import { t } from '../../../lib/i18n.ts';
import { operationQuery } from '../../../lib/query.ts';
import { sameOriginUrl } from '../../../lib/url.ts';
import { ErrorNotice } from '../../../ui/notice.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { isBeingProcessed, isWatchable } from '../../uploads/job-state.ts';
import type { EditedContent } from '../content/details-form.tsx';
import { RevertButton } from './revert-button.tsx';
import { TrimDesk } from './trim-desk.tsx';

interface Properties {
  readonly content: EditedContent;
  readonly onChange: () => void;
}

/** Removes parts of a video, goes back to its original, and makes clips of it. */
export function TrimEditor({ content, onChange }: Properties) {
  const { id } = content;
  const busy = isBeingProcessed(content);
  // Another video is played once it was processed.
  const { data, error } = useQuery({ ...operationQuery(TrimEditorData, { id }), staleTime: 0, enabled: !busy });
  const video = data?.content?.assets.videos.edges[0]?.node ?? null;
  const isTrimmed = data?.content?.trim != null;
  return (
    <Panel
      title={t`Trim`}
      hint={t`Remove parts of the video, or make a clip of one. The link, comments and analytics stay; captions and
        chapters move along.`}
    >
      {!isWatchable(content) && !busy && <p className="text-muted">{t`Available once the video is ready.`}</p>}
      {busy && (
        <p role="status" className="rounded-lg bg-raised p-3">
          {t`The video is being processed. Until that is done, viewers watch it as it was.`}
        </p>
      )}
      {error !== null && <ErrorNotice error={error} />}
      {!busy && isTrimmed && <RevertButton contentId={id} onChange={onChange} />}
      {!busy && video?.playlistUrl && video.duration && (
        <TrimDesk
          key={video.id}
          contentId={id}
          title={content.metadata.title}
          url={sameOriginUrl(video.playlistUrl)}
          durationMs={Math.round(video.duration * 1000)}
          onChange={onChange}
        />
      )}
    </Panel>
  );
}

import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import {
  ImportAndPublish,
  ImportFromYouTube,
  type StudioContentFragment,
  YouTubeVideos,
  type YouTubeVideosResult,
} from '../../gql/generated/operations.gen.ts';
import { ApiError, api } from '../../lib/api.ts';
import { calendarDate, clockTime } from '../../lib/format.ts';
import { useAction } from '../../lib/hooks/use-action.ts';
import { t } from '../../lib/i18n.ts';
import { operationQuery } from '../../lib/query.ts';
import { Button, buttonClass, Spinner } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { CheckField } from '../../ui/field.tsx';
import { ErrorNotice } from '../../ui/notice.tsx';
import { readSetup, type YouTubeSetup } from './setup.ts';

type Page = YouTubeVideosResult['youtubeVideos'];
type Video = Page['videos'][number];

/** Who can watch a video on YouTube, of those that not all can watch. */
const PRIVACY = { PRIVATE: t`private`, UNLISTED: t`unlisted` } as const;

interface Properties {
  readonly channel: string;
  readonly onImported: (content: StudioContentFragment) => void;
}

/** A button that opens the videos of the connected channel; renders nothing where YouTube is not set up. */
export function ImportFromYouTubeButton(properties: Properties) {
  const [open, setOpen] = useState(false);
  const { data: setup } = useQuery({ queryKey: ['youtube-setup'], queryFn: readSetup });
  if (!setup?.available) return null;
  return (
    <>
      <Button onClick={() => setOpen(true)}>{t`Import from YouTube`}</Button>
      <Dialog open={open} title={t`Import from YouTube`} onClose={() => setOpen(false)}>
        <Videos {...properties} setup={setup} />
        <p className="text-end">
          <Button onClick={() => setOpen(false)}>{t`Close`}</Button>
        </p>
      </Dialog>
    </>
  );
}

function Videos(properties: Properties & { readonly setup: YouTubeSetup }) {
  const { data, error } = useQuery({ ...operationQuery(YouTubeVideos, {}), gcTime: 0 });
  if (data) return <VideoList {...properties} first={data.youtubeVideos} />;
  if (error === null) {
    return (
      <p role="status" className="flex items-center gap-3 text-muted">
        <Spinner /> {t`Loading videos from YouTube…`}
      </p>
    );
  }
  const mayConnect = error instanceof ApiError && error.code === 'UNAUTHORIZED';
  const settings = <Link to="/settings/account" className={buttonClass()}>{t`Open settings`}</Link>;
  return <ErrorNotice error={error} action={mayConnect ? settings : undefined} />;
}

function VideoList({
  channel,
  onImported,
  first,
  setup,
}: Properties & { readonly first: Page; readonly setup: YouTubeSetup }) {
  const [videos, setVideos] = useState(first.videos);
  const [next, setNext] = useState(first.nextPageToken);
  const [publish, setPublish] = useState(false);
  const [message, setMessage] = useState('');
  const action = useAction();
  const importVideo = async ({ id, title }: Video): Promise<void> => {
    const variables = { channel, videoId: id };
    const content = publish
      ? (await api(ImportAndPublish, variables)).importYouTubeAndPublish.content
      : (await api(ImportFromYouTube, variables)).createContentFromYouTube;
    setVideos((known) => known.map((video) => (video.id === id ? { ...video, contentId: content.id } : video)));
    const needsFile = content.transcodeJob === null;
    setMessage(
      needsFile ? t`${title} was added to Studio. Upload the video file on its page.` : t`Importing ${title}.`,
    );
    onImported(content);
  };
  const more = async (): Promise<void> => {
    const page = (await api(YouTubeVideos, { pageToken: next })).youtubeVideos;
    setVideos((known) => [...new Map([...known, ...page.videos].map((video) => [video.id, video])).values()]);
    setNext(page.nextPageToken);
  };
  if (videos.length === 0) return <p className="text-muted">{t`The connected channel has no videos.`}</p>;
  return (
    <div className="space-y-4">
      {setup.canDownload ? (
        <CheckField
          label={t`Publish when ready`}
          checked={publish}
          onChange={(event) => setPublish(event.currentTarget.checked)}
        />
      ) : (
        <p className="text-sm text-muted">{t`The title, description, keywords and thumbnail are imported. You upload
          the video file yourself.`}</p>
      )}
      <ul className="max-h-96 divide-y divide-line overflow-y-auto rounded-lg border border-line px-4">
        {videos.map((video) => (
          <VideoRow
            key={video.id}
            video={video}
            busy={action.busy === video.id}
            onImport={() => action.run(video.id, () => importVideo(video))}
          />
        ))}
      </ul>
      <p role="status" className="text-sm text-sea empty:hidden [overflow-wrap:anywhere]">
        {message}
      </p>
      {action.error !== null && <ErrorNotice error={action.error} />}
      {next !== null && (
        <Button busy={action.busy === 'more'} onClick={() => action.run('more', more)}>{t`Show more`}</Button>
      )}
    </div>
  );
}

function VideoRow({
  video,
  busy,
  onImport,
}: {
  readonly video: Video;
  readonly busy: boolean;
  readonly onImport: () => void;
}) {
  const { title, publishedAt, durationMs, privacyStatus, isLive, contentId } = video;
  const facts = [
    publishedAt && calendarDate(publishedAt),
    durationMs !== null && clockTime(durationMs / 1_000),
    privacyStatus !== 'PUBLIC' && PRIVACY[privacyStatus],
  ].filter(Boolean);
  return (
    <li className="flex items-center justify-between gap-4 py-3">
      <div className="min-w-0">
        <p className="font-medium [overflow-wrap:anywhere]">
          <bdi>{title}</bdi>
        </p>
        <p className="text-sm text-muted">{facts.join(' · ')}</p>
      </div>
      {contentId !== null && <p className="shrink-0 text-sm text-sea">{t`Imported`}</p>}
      {contentId === null && isLive && <p className="shrink-0 text-sm text-muted">{t`Live`}</p>}
      {contentId === null && !isLive && (
        <Button className="shrink-0" busy={busy} onClick={onImport} aria-label={t`Import ${title}`}>{t`Import`}</Button>
      )}
    </li>
  );
}

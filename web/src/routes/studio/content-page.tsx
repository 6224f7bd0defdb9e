import { getRouteApi, Link, useNavigate, useRouter } from '@tanstack/react-router';
import { ChildrenPanel } from '../../features/studio/content/children-panel.tsx';
import { ContentActions, DeleteContentButton } from '../../features/studio/content/content-actions.tsx';
import { ContentProgress } from '../../features/studio/content/content-progress.tsx';
import { ContentStatus } from '../../features/studio/content/content-status.tsx';
import { DetailsForm } from '../../features/studio/content/details-form.tsx';
import { isContainer, KIND_NAMES } from '../../features/studio/content/kinds.ts';
import { PredictionPanel } from '../../features/studio/content/prediction-panel.tsx';
import { useContentPolling } from '../../features/studio/content/use-content-polling.ts';
import { CommentMode } from '../../features/studio/moderation/comment-mode.tsx';
import { hasRole } from '../../features/studio/studio-context.ts';
import { TestsPanel } from '../../features/studio/tests/tests-panel.tsx';
import { CaptionsPanel } from '../../features/studio/video/captions-panel.tsx';
import { ChaptersPanel } from '../../features/studio/video/chapters-panel.tsx';
import { ThumbnailPanel } from '../../features/studio/video/thumbnail-panel.tsx';
import { UpmixPanel } from '../../features/studio/video/upmix-panel.tsx';
import { UpscalePanel } from '../../features/studio/video/upscale-panel.tsx';
import { VideoPanel } from '../../features/studio/video/video-panel.tsx';
import { uploadFor, useUploads } from '../../features/uploads/upload-list.ts';
import { YouTubePublishPanel } from '../../features/youtube/publish-panel.tsx';
import { watchPath } from '../../lib/did.ts';

const route = getRouteApi('/studio/content/$');

/** The editor of a content: details, thumbnail, captions, chapters, episodes. */
export function StudioContentPage() {
  const { content, taxonomy } = route.useLoaderData();
  const router = useRouter();
  const navigate = useNavigate();
  const upload = uploadFor(useUploads(), content.id);
  const reload = (): void => void router.invalidate();
  useContentPolling(content, upload, reload);
  const { id, kind, metadata, parent } = content;
  const role = content.channel.viewerRole ?? 'VIEWER';
  const container = isContainer(kind);
  const leave = (): void =>
    void (parent
      ? navigate({ to: '/studio/content/$', params: { _splat: watchPath(parent.id) } })
      : navigate({ to: container ? '/studio/series' : '/studio' }));
  return (
    <div key={id} className="space-y-6">
      <title>{`${metadata.title} · Studio · Reelgraph`}</title>
      <header className="space-y-3">
        <Breadcrumbs content={content} />
        <div className="flex flex-wrap items-center gap-3">
          <h1 className="min-w-0 text-3xl font-bold [overflow-wrap:anywhere]">{metadata.title}</h1>
          <ContentStatus status={content.status} />
        </div>
        <ContentProgress content={content} upload={upload} open={null} />
        <div className="flex flex-wrap items-center gap-2">
          {hasRole(role, 'EDITOR') && <ContentActions content={content} onChange={reload} />}
          {hasRole(role, 'MANAGER') && <DeleteContentButton content={content} onDelete={leave} />}
        </div>
      </header>
      {container && <ChildrenPanel content={content} mayEdit={hasRole(role, 'EDITOR')} />}
      {hasRole(role, 'EDITOR') && (
        <>
          <DetailsForm content={content} taxonomy={taxonomy} onSaved={reload} />
          <ThumbnailPanel content={content} onChange={reload} />
          <TestsPanel contentId={id} onChange={reload} />
          {!container && <PredictionPanel content={content} taxonomy={taxonomy} />}
          {!container && <VideoPanel content={content} upload={upload} onChange={reload} />}
          {!container && (
            <>
              <UpscalePanel contentId={id} ready={content.status === 'READY' || content.status === 'PUBLISHED'} />
              <UpmixPanel contentId={id} ready={content.status === 'READY' || content.status === 'PUBLISHED'} />
            </>
          )}
          {!container && (
            <CaptionsPanel content={content} ready={content.status === 'READY' || content.status === 'PUBLISHED'} />
          )}
          {!container && <ChaptersPanel content={content} onSaved={reload} />}
          {!container && (
            <YouTubePublishPanel contentId={id} ready={content.status === 'READY' || content.status === 'PUBLISHED'} />
          )}
          <CommentMode contentId={id} mode={content.commentSettings.mode} />
        </>
      )}
    </div>
  );
}

/** Links to the parent, or to the list. */
function Breadcrumbs({
  content: { kind, parent },
}: {
  content: { kind: keyof typeof KIND_NAMES; parent: { id: string; metadata: { title: string } } | null };
}) {
  const look = 'text-accent-text underline underline-offset-3';
  return (
    <p className="text-sm text-muted">
      {parent ? (
        <Link to="/studio/content/$" params={{ _splat: watchPath(parent.id) }} className={look}>
          {parent.metadata.title}
        </Link>
      ) : (
        <Link to={isContainer(kind) ? '/studio/series' : '/studio'} className={look}>
          {isContainer(kind) ? 'Series' : 'Videos'}
        </Link>
      )}
      {kind !== 'SERIE' && ` / ${KIND_NAMES[kind]}`}
    </p>
  );
}

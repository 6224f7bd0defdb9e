import { getRouteApi, Link, useNavigate, useRouter } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { ChildrenPanel } from '../../features/studio/content/children-panel.tsx';
import { DetailsForm, type EditedContent } from '../../features/studio/content/details-form.tsx';
import { PredictionPanel } from '../../features/studio/content/prediction-panel.tsx';
import { useContentPolling } from '../../features/studio/content/use-content-polling.ts';
import { ContentSummary } from '../../features/studio/edit/content-summary.tsx';
import type { EditTab } from '../../features/studio/edit/edit-tab-search.ts';
import { editTabs } from '../../features/studio/edit/edit-tabs.ts';
import { isContainer } from '../../features/studio/kinds/kind-lists.ts';
import { KIND_NAMES } from '../../features/studio/kinds/kinds.ts';
import { CommentMode } from '../../features/studio/moderation/comment-mode.tsx';
import { hasRole } from '../../features/studio/studio-context.ts';
import { TestsPanel } from '../../features/studio/tests/tests-panel.tsx';
import { CaptionsPanel } from '../../features/studio/video/captions-panel.tsx';
import { ChaptersPanel } from '../../features/studio/video/chapters-panel.tsx';
import { ThumbnailPanel } from '../../features/studio/video/thumbnail-panel.tsx';
import { UpmixPanel } from '../../features/studio/video/upmix-panel.tsx';
import { UpscalePanel } from '../../features/studio/video/upscale-panel.tsx';
import { VideoPanel } from '../../features/studio/video/video-panel.tsx';
import { isWatchable } from '../../features/uploads/job-state.ts';
import type { UploadItem } from '../../features/uploads/upload-item.ts';
import { uploadFor, useUploads } from '../../features/uploads/upload-list.ts';
import { YouTubePublishPanel } from '../../features/youtube/publish-panel.tsx';
import type { TaxonomyResult } from '../../gql/generated/operations.gen.ts';
import { isSwitchedOn } from '../../gql/server-features.ts';
import { contentTail } from '../../lib/did.ts';
import { calendarDate } from '../../lib/format.ts';
import { t } from '../../lib/i18n.ts';
import { siteName } from '../../lib/site.ts';
import { EXACT, TAB, TabRow } from '../../ui/tabs.tsx';

const TrimEditor = lazy(async () => ({
  default: (await import('../../features/studio/trim/trim-editor.tsx')).TrimEditor,
}));

const route = getRouteApi('/studio/content/$');

/** The editor of a content, in tabs, beside a summary. */
export function StudioContentPage() {
  const { content, taxonomy } = route.useLoaderData();
  const search = route.useSearch();
  const router = useRouter();
  const navigate = useNavigate();
  const upload = uploadFor(useUploads(), content.id);
  const reload = (): Promise<void> => router.invalidate({ sync: true });
  useContentPolling(content, upload, () => void router.invalidate());
  const { id, kind, metadata, parent } = content;
  const role = content.channel.viewerRole ?? 'VIEWER';
  const may = { edit: hasRole(role, 'EDITOR'), delete: hasRole(role, 'MANAGER') };
  const takedownDate = content.takedown ? calendarDate(content.takedown.at) : '';
  const tabs = editTabs(kind);
  const tab = tabs.find(([name]) => name === search.tab)?.[0] ?? tabs[0]?.[0] ?? 'details';
  const leave = (): void =>
    void (parent
      ? navigate({ to: '/studio/content/$', params: { _splat: contentTail(parent.id) } })
      : navigate({ to: isContainer(kind) ? '/studio/series' : '/studio/videos' }));
  return (
    <div key={id} className="space-y-6">
      <title>{`${metadata.title} · ${t`Studio`} · ${siteName()}`}</title>
      <header className="space-y-2">
        <Breadcrumbs content={content} />
        <h1 className="text-3xl font-bold [overflow-wrap:anywhere]">
          <bdi>{metadata.title}</bdi>
        </h1>
      </header>
      {content.takedown && (
        <section aria-label={t`Takedown`} className="space-y-1 rounded-xl border border-danger/45 bg-surface p-4">
          <p className="font-semibold">
            {t`An operator of this server took this down on ${takedownDate}. Only members of the channel can see it.`}
          </p>
          <p className="text-muted [overflow-wrap:anywhere]">{t`Reason: ${content.takedown.reason}`}</p>
        </section>
      )}
      <div className="grid items-start gap-6 xl:grid-cols-[minmax(0,1fr)_18rem]">
        <div className="min-w-0 space-y-6">
          {may.edit && <Tabs id={id} tabs={tabs} first={tabs[0]?.[0]} />}
          {may.edit ? (
            <TabPanel key={tab} tab={tab} content={content} taxonomy={taxonomy} upload={upload} onChange={reload} />
          ) : (
            isContainer(kind) && <ChildrenPanel content={content} mayEdit={false} />
          )}
        </div>
        <div className="max-xl:-order-1 xl:sticky xl:top-21">
          <ContentSummary content={content} upload={upload} may={may} onChange={reload} onDelete={leave} />
        </div>
      </div>
    </div>
  );
}

interface TabsProperties {
  readonly id: string;
  readonly tabs: ReturnType<typeof editTabs>;
  readonly first: EditTab | undefined;
}

function Tabs({ id, tabs, first }: TabsProperties) {
  return (
    <TabRow label={t`Editor`}>
      {tabs.map(([name, label]) => (
        <li key={name}>
          <Link
            to="/studio/content/$"
            params={{ _splat: contentTail(id) }}
            search={name === first ? {} : { tab: name }}
            activeOptions={EXACT}
            className={TAB}
          >
            {label}
          </Link>
        </li>
      ))}
    </TabRow>
  );
}

interface PanelProperties {
  readonly tab: EditTab;
  readonly content: EditedContent;
  readonly taxonomy: TaxonomyResult;
  readonly upload: UploadItem | null;
  readonly onChange: () => void;
}

function TabPanel({ tab, content, taxonomy, upload, onChange }: PanelProperties) {
  const { id, kind } = content;
  const ready = isWatchable(content);
  switch (tab) {
    case 'children':
      return <ChildrenPanel content={content} mayEdit />;
    case 'details':
      return (
        <>
          <DetailsForm content={content} taxonomy={taxonomy} onSaved={onChange} />
          <ThumbnailPanel content={content} onChange={onChange} />
        </>
      );
    case 'video':
      return (
        <>
          <VideoPanel content={content} upload={upload} onChange={onChange} />
          <UpscalePanel contentId={id} ready={ready} />
          <UpmixPanel contentId={id} ready={ready} />
          {isSwitchedOn('YOUTUBE') && <YouTubePublishPanel contentId={id} ready={ready} />}
        </>
      );
    case 'trim':
      return (
        <Suspense fallback={<div className="skeleton h-96 rounded-2xl" />}>
          <TrimEditor content={content} onChange={onChange} />
        </Suspense>
      );
    case 'captions':
      return <CaptionsPanel content={content} ready={ready} />;
    case 'chapters':
      return <ChaptersPanel content={content} onSaved={onChange} />;
    case 'tests':
      return (
        <>
          <TestsPanel contentId={id} onChange={onChange} />
          {!isContainer(kind) && <PredictionPanel content={content} taxonomy={taxonomy} />}
        </>
      );
    case 'comments':
      return <CommentMode content={content} />;
  }
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
        <Link to="/studio/content/$" params={{ _splat: contentTail(parent.id) }} className={look}>
          <bdi>{parent.metadata.title}</bdi>
        </Link>
      ) : (
        <Link to={isContainer(kind) ? '/studio/series' : '/studio/videos'} className={look}>
          {isContainer(kind) ? t`Series` : t`Videos`}
        </Link>
      )}
      {kind !== 'SERIES' && ` / ${KIND_NAMES[kind]}`}
    </p>
  );
}

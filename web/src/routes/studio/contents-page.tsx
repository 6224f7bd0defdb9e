import { getRouteApi, Link } from '@tanstack/react-router';
import { BulkActions } from '../../features/studio/content/bulk-actions.tsx';
import { ContentRow } from '../../features/studio/content/content-row.tsx';
import { KIND_NAMES, VIDEO_KINDS } from '../../features/studio/content/kinds.ts';
import { useContents } from '../../features/studio/content/use-contents.ts';
import { useUploadedContents } from '../../features/studio/content/use-uploaded-contents.ts';
import { hasRole } from '../../features/studio/studio-context.ts';
import { UploadArea } from '../../features/uploads/upload-area.tsx';
import { uploadFiles } from '../../features/uploads/upload-commands.ts';
import { uploadFor, useUploads } from '../../features/uploads/upload-list.ts';
import { ImportFromYouTubeButton } from '../../features/youtube/import-dialog.tsx';
import { type ContentKind, StudioContentItem } from '../../gql/generated/operations.gen.ts';
import { api } from '../../lib/api.ts';
import { useAction } from '../../lib/use-action.ts';
import { useRowFocus } from '../../lib/use-row-focus.ts';
import { useSelection } from '../../lib/use-selection.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorNotice } from '../../ui/notice.tsx';

const route = getRouteApi('/studio/');

/** The studio dashboard: upload, publish, edit and delete videos. */
export function StudioPage() {
  const { kind } = route.useSearch();
  return <Videos key={kind ?? 'ALL'} kind={kind} />;
}

function Videos({ kind }: { kind: ContentKind | undefined }) {
  const { contents: first, uploads: open } = route.useLoaderData();
  const { studio } = route.useRouteContext();
  const uploads = useUploads();
  const kinds = kind ? [kind] : VIDEO_KINDS;
  const list = useContents(first, { channelId: studio.channel.id, kinds }, uploads);
  const { contents, hasMore, add, change, remove, more } = list;
  const selection = useSelection();
  const action = useAction();
  const rows = useRowFocus<HTMLUListElement>();
  const { username } = studio;
  useUploadedContents(studio.channel.id, uploads, list);
  const may = { edit: hasRole(studio.role, 'EDITOR'), delete: hasRole(studio.role, 'MANAGER') };
  const refresh = (ids: readonly string[]): void => {
    selection.set(ids, false);
    for (const id of ids) void api(StudioContentItem, { id }).then(({ content }) => content && change(content));
  };
  return (
    <div className="space-y-8">
      <title>Studio · Reelgraph</title>
      <h1 className="text-3xl font-bold">Studio</h1>
      {may.edit && (
        <UploadArea onFiles={(files) => void uploadFiles(files, { channel: studio.channel.id, username })} />
      )}
      <section aria-labelledby="own" className="space-y-4">
        <div className="flex flex-wrap items-center justify-between gap-3">
          <h2 id="own" className="text-lg font-semibold">
            Your videos
          </h2>
          <div className="flex flex-wrap items-center gap-3">
            <KindFilter />
            {may.edit && <ImportFromYouTubeButton channel={studio.channel.id} onImported={add} />}
          </div>
        </div>
        {contents.length === 0 && (
          <p className="text-muted">
            {kind ? 'No videos of this type yet.' : 'No videos yet. Videos you upload appear here.'}
          </p>
        )}
        <BulkActions
          selected={contents.filter(({ id }) => selection.ids.has(id))}
          mayDelete={may.delete}
          onPublished={refresh}
          onDeleted={(ids) => ids.forEach(remove)}
          onClear={selection.clear}
        />
        <ul {...rows} className="space-y-4 empty:hidden">
          {contents.map((content) => (
            <ContentRow
              key={content.id}
              content={content}
              upload={uploadFor(uploads, content.id)}
              open={
                open.find(
                  ({ state, metadata }) =>
                    (state === 'OPEN' || state === 'FAILED') && metadata.contentId === content.id,
                ) ?? null
              }
              may={may}
              selected={selection.ids.has(content.id)}
              onSelect={(on) => selection.set([content.id], on)}
              onChange={change}
              onDelete={remove}
            />
          ))}
        </ul>
        {action.error !== null && <ErrorNotice error={action.error} />}
        {hasMore && (
          <p className="text-center">
            <Button busy={action.busy !== null} onClick={() => action.run('more', more)}>
              Show more
            </Button>
          </p>
        )}
      </section>
    </div>
  );
}

const CHIP =
  'rounded-full border border-line px-3 py-1 text-sm font-medium text-muted hover:text-fore ' +
  'aria-[current=page]:border-accent-text aria-[current=page]:text-fore';

/** Filters the list by kind; each filter has its own URL. */
function KindFilter() {
  return (
    <nav aria-label="Filter by type" className="flex flex-wrap gap-2">
      <Link to="/studio" search={{}} activeOptions={{ exact: true, includeSearch: true }} className={CHIP}>
        All
      </Link>
      {VIDEO_KINDS.map((kind) => (
        <Link
          key={kind}
          to="/studio"
          search={{ kind }}
          activeOptions={{ exact: true, includeSearch: true }}
          className={CHIP}
        >
          {kind === 'FEATURE' ? 'Features' : `${KIND_NAMES[kind]}s`}
        </Link>
      ))}
    </nav>
  );
}

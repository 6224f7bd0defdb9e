import { getRouteApi, Link } from '@tanstack/react-router';
import { useContents } from '../../features/studio/content/use-contents.ts';
import { useUploadedContents } from '../../features/studio/content/use-uploaded-contents.ts';
import { hasRole } from '../../features/studio/studio-context.ts';
import { BulkBar } from '../../features/studio/table/bulk-bar.tsx';
import { type Column, useColumns } from '../../features/studio/table/columns.ts';
import { ContentTable } from '../../features/studio/table/content-table.tsx';
import { ContentTableRow } from '../../features/studio/table/content-table-row.tsx';
import { ListFilters } from '../../features/studio/table/list-filters.tsx';
import { isFiltered, type ListSearch, listVariables } from '../../features/studio/table/list-search.ts';
import { UploadArea } from '../../features/uploads/upload-area.tsx';
import { uploadFiles } from '../../features/uploads/upload-commands.ts';
import { uploadFor, useUploads } from '../../features/uploads/upload-list.ts';
import { ImportFromYouTubeButton } from '../../features/youtube/import-dialog.tsx';
import { useAction } from '../../lib/hooks/use-action.ts';
import { useSelection } from '../../lib/hooks/use-selection.ts';
import { Trans, t } from '../../lib/i18n.ts';
import { count } from '../../lib/numbers.ts';
import { siteName } from '../../lib/site.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorNotice } from '../../ui/notice.tsx';

const route = getRouteApi('/studio/videos');

/** The videos of the channel, to find, change, publish and delete. */
export function StudioVideosPage() {
  const search = route.useSearch();
  const { studio } = route.useRouteContext();
  const { contents } = route.useLoaderData();
  const columns = useColumns();
  const mayEdit = hasRole(studio.role, 'EDITOR');
  const isEmpty = contents.edges.length === 0 && !isFiltered(search);
  return (
    <div className="space-y-5">
      <title>{`${t`Videos`} · ${t`Studio`} · ${siteName()}`}</title>
      <h1 className="text-3xl font-bold">{t`Videos`}</h1>
      {mayEdit && (
        <UploadArea
          onFiles={(files) => void uploadFiles(files, { channel: studio.channel.id, username: studio.username })}
        />
      )}
      {!isEmpty && <ListFilters search={search} columns={columns} />}
      <Videos key={JSON.stringify(search)} search={search} columns={columns.shown} />
    </div>
  );
}

function Videos({ search, columns }: { search: ListSearch; columns: readonly Column[] }) {
  const { contents: first, uploads: open } = route.useLoaderData();
  const { studio } = route.useRouteContext();
  const uploads = useUploads();
  const list = useContents(first, { channelId: studio.channel.id, ...listVariables(search) }, uploads);
  const { contents, change, remove } = list;
  const shown = contents.length;
  useUploadedContents(studio.channel.id, uploads, list);
  const selection = useSelection();
  const action = useAction();
  const may = { edit: hasRole(studio.role, 'EDITOR'), delete: hasRole(studio.role, 'MANAGER') };
  const onChanged = (ids: readonly string[]): void => {
    selection.set(ids, false);
    for (const id of ids) void list.refresh(id);
  };
  return (
    <section aria-labelledby="own" className="space-y-3">
      <h2 id="own" className="sr-only">{t`Your videos`}</h2>
      {may.edit && <ImportFromYouTubeButton channel={studio.channel.id} onImported={list.add} />}
      <BulkBar
        channelId={studio.channel.id}
        selected={contents.filter(({ id }) => selection.ids.has(id))}
        mayDelete={may.delete}
        onChanged={onChanged}
        onRefused={(ids) => ids.forEach((id) => void list.refresh(id))}
        onDeleted={(ids) => ids.forEach(remove)}
        onClear={selection.clear}
      />
      {contents.length === 0 ? (
        <NoVideos search={search} />
      ) : (
        <ContentTable contents={contents} columns={columns} search={search} selection={may.edit ? selection : null}>
          {contents.map((content) => (
            <ContentTableRow
              key={content.id}
              content={content}
              columns={columns}
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
        </ContentTable>
      )}
      {action.error !== null && <ErrorNotice error={action.error} />}
      {list.hasMore && (
        <p className="flex flex-wrap items-center justify-center gap-4 pt-2 text-sm text-muted">
          {t`${count(shown)} of ${count(first.totalCount)}`}
          <Button busy={action.busy !== null} onClick={() => action.run('more', list.more)}>{t`Show more`}</Button>
        </p>
      )}
    </section>
  );
}

function NoVideos({ search }: { search: ListSearch }) {
  if (!isFiltered(search)) return <p className="text-muted">{t`No videos yet. Videos you upload appear here.`}</p>;
  return (
    <p className="text-muted">
      <Trans>
        No videos match.{' '}
        <Link to="/studio/videos" search={{}} className="text-accent-text underline underline-offset-3">
          Show all
        </Link>
      </Trans>
    </p>
  );
}

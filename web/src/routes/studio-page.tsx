import { getRouteApi } from '@tanstack/react-router';
import { ContentRow } from '../features/studio/content-row.tsx';
import { NewVideo } from '../features/studio/new-video.tsx';
import { useUploads } from '../features/studio/uploads.ts';
import { useContents } from '../features/studio/use-contents.ts';
import { useAction } from '../lib/use-action.ts';
import { Button } from '../ui/button.tsx';
import { ErrorNotice } from '../ui/notice.tsx';

const route = getRouteApi('/studio');
const NOTHING = { edges: [], pageInfo: { hasNextPage: false, endCursor: null }, totalCount: 0 };

/** The creator's desk: upload, watch it being prepared, publish, change, delete. */
export function StudioPage() {
  const { channel, uploads: open } = route.useLoaderData();
  const uploads = useUploads();
  const { contents, hasMore, add, change, remove, more } = useContents(channel.contents ?? NOTHING, uploads);
  const action = useAction();
  return (
    <div className="mx-auto max-w-4xl space-y-8">
      <title>Studio · Reelgraph</title>
      <h1 className="text-3xl font-bold">Studio</h1>
      <NewVideo onOpened={add} />
      <section aria-labelledby="own" className="space-y-4">
        <h2 id="own" className="text-lg font-semibold">
          Your videos
        </h2>
        {contents.length === 0 && <p className="text-muted">Nothing here yet. Your first upload will appear in this list.</p>}
        <ul className="space-y-4">
          {contents.map((content) => (
            <ContentRow
              key={content.id}
              content={content}
              upload={uploads.get(content.id) ?? null}
              open={
                open.find(({ state, metadata }) => (state === 'OPEN' || state === 'FAILED') && metadata.contentId === content.id) ?? null
              }
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

import { useRouter } from '@tanstack/react-router';
import { FillPlaylist, type StudioContentsResult } from '../../gql/generated/operations.gen.ts';
import { ApiError, api } from '../../lib/api.ts';
import { useForm } from '../../lib/use-form.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorNotice } from '../../ui/notice.tsx';
import { Panel } from '../../ui/panel.tsx';

type Contents = NonNullable<NonNullable<StudioContentsResult['channel']>['contents']>;

/** The newest videos of the channel, to be ticked and put at the end of the playlist. */
export function AddToPlaylist({ playlistId, contents }: { playlistId: string; contents: Contents }) {
  const router = useRouter();
  const form = useForm(async (data, element) => {
    const contentIds = data.getAll('content').map(String);
    if (contentIds.length === 0)
      throw new ApiError({ message: 'No video is chosen.', extensions: { code: 'INVALID_INPUT', suggestedFix: 'Tick at least one.' } });
    const { results } = (await api(FillPlaylist, { id: playlistId, contentIds })).addPlaylistItems;
    element.reset();
    await router.invalidate();
    const failed = results.find(({ error }) => error)?.error;
    if (failed)
      throw new ApiError({ message: failed.message, extensions: { code: 'INVALID_INPUT', suggestedFix: 'The others were added.' } });
  });
  return (
    <Panel title="Add videos" hint="The newest of the channel; they go to the end.">
      {contents.edges.length === 0 ? (
        <p className="text-muted">The channel has no videos yet. Upload one first.</p>
      ) : (
        <form onSubmit={form.onSubmit} className="space-y-4">
          {form.error !== null && <ErrorNotice error={form.error} />}
          <fieldset className="max-h-80 space-y-2 overflow-y-auto rounded-lg border border-line p-3">
            <legend className="sr-only">Videos of the channel</legend>
            {contents.edges.map(({ node }) => (
              <label key={node.id} className="flex items-center gap-3">
                <input type="checkbox" name="content" value={node.id} className="size-4 shrink-0 accent-accent" />
                <span className="min-w-0 [overflow-wrap:anywhere]">{node.metadata.title}</span>
              </label>
            ))}
          </fieldset>
          <Button type="submit" busy={form.busy}>
            Add to the playlist
          </Button>
        </form>
      )}
    </Panel>
  );
}

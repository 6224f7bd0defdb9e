import { useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { AddPlaylistItems, type StudioContentsResult } from '../../../gql/generated/operations.gen.ts';
import { api } from '../../../lib/api.ts';
import { clockTime } from '../../../lib/format.ts';
import { useAction } from '../../../lib/hooks/use-action.ts';
import { useSelection } from '../../../lib/hooks/use-selection.ts';
import { plural, t } from '../../../lib/i18n.ts';
import { inBatches } from '../../../lib/in-batches.ts';
import { Button } from '../../../ui/button.tsx';
import { CheckField } from '../../../ui/field.tsx';
import { ErrorNotice, FailureList } from '../../../ui/notice.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { SelectionBar } from '../../../ui/selection-bar.tsx';
import { useUploads } from '../../uploads/upload-list.ts';
import { VIDEO_KINDS } from '../kinds/kind-lists.ts';
import { KIND_NAMES } from '../kinds/kinds.ts';
import type { EditedPlaylist } from '../playlists/use-playlist-items.ts';
import { useContents } from './use-contents.ts';

type Contents = NonNullable<NonNullable<StudioContentsResult['channel']>['contents']>;

/** Adds selected videos of the channel to a playlist. */
export function AddToPlaylist({ playlist, contents: first }: { playlist: EditedPlaylist; contents: Contents }) {
  const router = useRouter();
  const list = useContents(first, { channelId: playlist.channel.id, kinds: VIDEO_KINDS }, useUploads());
  const selection = useSelection();
  const action = useAction();
  const [result, setResult] = useState<{ readonly added: string; readonly refused: readonly string[] } | null>(null);
  const contained = new Set(playlist.items.edges.map(({ node }) => node.content?.id));
  const titles = new Map(list.contents.map(({ id, metadata }) => [id, metadata.title]));
  const add = async (): Promise<void> => {
    const chosen = [...selection.ids];
    const send = async (contentIds: readonly string[]) =>
      (await api(AddPlaylistItems, { id: playlist.id, contentIds })).addPlaylistItems.results;
    const results = await inBatches(chosen, send);
    const refused = results.flatMap(({ id, error }) => (error ? [`${titles.get(id)}: ${error.message}`] : []));
    const added = results.length - refused.length;
    setResult({ added: plural(added, { one: '# added.', other: '# added.' }), refused });
    selection.clear();
    await router.invalidate({ sync: true });
  };
  if (list.contents.length === 0) {
    return (
      <Panel title={t`Add videos`}>
        <p className="text-muted">{t`The channel has no videos yet. Upload one first.`}</p>
      </Panel>
    );
  }
  return (
    <Panel
      title={t`Add videos`}
      hint={t`Videos of this channel, newest first. They are added to the end in the order you select them.`}
    >
      <SelectionBar all={list.contents.map(({ id }) => id)} selection={selection}>
        <Button
          disabled={selection.ids.size === 0}
          busy={action.busy === 'add'}
          onClick={() => action.run('add', add)}
        >{t`Add to playlist`}</Button>
      </SelectionBar>
      <ul className="max-h-96 space-y-3 overflow-y-auto rounded-lg border border-line p-4">
        {list.contents.map(({ id, kind, metadata: { title, duration } }) => (
          <li key={id}>
            <CheckField
              label={<span className="[overflow-wrap:anywhere]">{title}</span>}
              hint={[KIND_NAMES[kind], duration !== null && clockTime(duration), contained.has(id) && t`already added`]
                .filter(Boolean)
                .join(' · ')}
              checked={selection.ids.has(id)}
              onChange={(event) => selection.set([id], event.currentTarget.checked)}
            />
          </li>
        ))}
      </ul>
      <p role="status" className="text-sm text-sea empty:hidden">
        {result?.added}
      </p>
      <FailureList lines={result?.refused ?? []} />
      {action.error !== null && <ErrorNotice error={action.error} />}
      {list.hasMore && (
        <Button busy={action.busy === 'more'} onClick={() => action.run('more', list.more)}>{t`Show more`}</Button>
      )}
    </Panel>
  );
}

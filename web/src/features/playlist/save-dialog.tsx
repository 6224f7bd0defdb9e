import { useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import {
  CreatePlaylistWith,
  RemoveFromPlaylist,
  type SaveChoiceFragment,
  SaveChoices,
  SaveToPlaylist,
} from '../../gql/generated/operations.gen.ts';
import { api } from '../../lib/api.ts';
import { useForm } from '../../lib/hooks/use-form.ts';
import { nodesOf } from '../../lib/hooks/use-pages.ts';
import { t } from '../../lib/i18n.ts';
import { KEEP_PREVIOUS } from '../../lib/query.ts';
import { Button, Spinner } from '../../ui/button.tsx';
import { Dialog, DialogButtons } from '../../ui/dialog.tsx';
import { SelectField, TextField } from '../../ui/field.tsx';
import { Icon } from '../../ui/icons.tsx';
import { ErrorNotice } from '../../ui/notice.tsx';
import { VISIBILITY } from './playlist-card.tsx';
import { setWatchLater } from './watch-later.ts';

/** How many playlists are listed without a search field. */
const FEW = 8;
const TYPING_MS = 250;

interface Properties {
  readonly contentId: string;
  readonly onClose: () => void;
}

/** In which of the viewer's lists a video is: Watch later and the playlists of their channel. */
export function SaveDialog({ contentId, onClose }: Properties) {
  const [title, setTitle] = useState('');
  const wanted = useSettled(title.trim());
  const [created, setCreated] = useState<readonly SaveChoiceFragment[]>([]);
  const [isCreating, setCreating] = useState(false);
  const choices = useInfiniteQuery({
    queryKey: ['SaveChoices', contentId, wanted],
    queryFn: ({ pageParam: after }) => api(SaveChoices, { id: contentId, ...(wanted ? { title: wanted } : {}), after }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ channel }) =>
      channel?.playlists.pageInfo.hasNextPage ? channel.playlists.pageInfo.endCursor : null,
    gcTime: 0, // the state of the lists changes on other pages
    ...KEEP_PREVIOUS,
  });
  const pages = choices.data?.pages.flatMap(({ channel }) => (channel ? [channel.playlists] : [])) ?? [];
  const known = new Set(created.map(({ id }) => id));
  const playlists = [...created, ...nodesOf<SaveChoiceFragment>(pages).filter(({ id }) => !known.has(id))];
  const content = choices.data?.pages[0]?.content;
  const total = pages[0]?.totalCount ?? 0;
  return (
    <Dialog open title={t`Save to…`} onClose={onClose}>
      {choices.error !== null && <ErrorNotice error={choices.error} />}
      {choices.isPending && (
        <p role="status" className="flex min-h-40 items-center gap-3 text-muted">
          <Spinner />
          {t`Loading your playlists…`}
        </p>
      )}
      {content && (
        <>
          {(total > FEW || title !== '') && (
            <input
              type="search"
              aria-label={t`Search your playlists`}
              placeholder={t`Search your playlists`}
              value={title}
              onChange={(event) => setTitle(event.currentTarget.value)}
              className="w-full rounded-lg border border-line-strong bg-ink px-3 py-2 placeholder:text-muted"
            />
          )}
          <ul aria-busy={choices.isPlaceholderData} className="-mx-2 max-h-[40dvh] overflow-y-auto px-2">
            <li>
              <Choice
                label={t`Watch later`}
                note={t`Private`}
                initial={content.isInWatchLater}
                save={(on) => setWatchLater(contentId, on)}
              />
            </li>
            {playlists.map((playlist) => (
              <li key={playlist.id}>
                <Choice
                  label={playlist.metadata.title}
                  note={VISIBILITY[playlist.visibility]}
                  initial={playlist.containsContent}
                  save={(on) => setInPlaylist({ id: playlist.id, contentId }, on)}
                />
              </li>
            ))}
          </ul>
          <p role="status" className="text-sm text-muted empty:hidden">
            {wanted && !choices.isPlaceholderData && total === 0 && t`None of your playlists is called “${wanted}”.`}
          </p>
          {choices.hasNextPage && (
            <Button
              busy={choices.isFetchingNextPage}
              className="w-full"
              onClick={() => void choices.fetchNextPage()}
            >{t`Show more playlists`}</Button>
          )}
          {isCreating ? (
            <NewPlaylist
              contentId={contentId}
              onCreated={(playlist) => {
                setCreated([playlist, ...created]);
                setCreating(false);
              }}
              onCancel={() => setCreating(false)}
            />
          ) : (
            <DialogButtons>
              <Button onClick={() => setCreating(true)}>
                <Icon name="plus" className="size-4" />
                {t`New playlist`}
              </Button>
              <Button look="primary" onClick={onClose}>{t`Done`}</Button>
            </DialogButtons>
          )}
        </>
      )}
    </Dialog>
  );
}

async function setInPlaylist(item: { id: string; contentId: string }, on: boolean): Promise<void> {
  if (on) await api(SaveToPlaylist, item);
  else await api(RemoveFromPlaylist, item);
}

/** The value once nothing has been typed for a moment. */
function useSettled(value: string): string {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), TYPING_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}

interface ChoiceProperties {
  readonly label: string;
  readonly note: string;
  readonly initial: boolean;
  readonly save: (on: boolean) => Promise<void>;
}

/** A list with a check mark, which changes at once, and back if it could not be saved. */
function Choice({ label, note, initial, save }: ChoiceProperties) {
  const [isOn, setOn] = useState(initial);
  useEffect(() => setOn(initial), [initial]);
  const { mutate, isPending, error } = useMutation<void, unknown, boolean>({
    mutationFn: save,
    onError: (_, on) => setOn(!on),
  });
  const choose = (on: boolean): void => {
    if (isPending) return;
    setOn(on);
    mutate(on);
  };
  return (
    <>
      <label className="flex min-h-11 items-center gap-3 rounded-lg px-2 hover:bg-raised">
        <input
          type="checkbox"
          className="size-5 shrink-0 accent-accent"
          aria-label={label}
          checked={isOn}
          aria-busy={isPending}
          onChange={(event) => choose(event.currentTarget.checked)}
        />
        <span dir="auto" className="min-w-0 grow [overflow-wrap:anywhere]">
          {label}
        </span>
        <span className="text-sm text-muted">{note}</span>
      </label>
      {error !== null && (
        <div className="py-2">
          <ErrorNotice error={error} />
        </div>
      )}
    </>
  );
}

interface NewProperties {
  readonly contentId: string;
  readonly onCreated: (playlist: SaveChoiceFragment) => void;
  readonly onCancel: () => void;
}

/** Creates a playlist with the video in it. */
function NewPlaylist({ contentId, onCreated, onCancel }: NewProperties) {
  const form = useForm(async (data) => {
    const title = String(data.get('title') ?? '');
    const visibility = (['PRIVATE', 'UNLISTED', 'PUBLIC'] as const).find((each) => each === data.get('visibility'));
    const { createPlaylistWithItems } = await api(CreatePlaylistWith, {
      input: { title, visibility: visibility ?? 'PRIVATE', contentIds: [contentId] },
    });
    const [result] = createPlaylistWithItems.results;
    onCreated({ ...createPlaylistWithItems.playlist, containsContent: result?.ok === true });
  });
  return (
    <form onSubmit={form.onSubmit} aria-label={t`New playlist`} className="space-y-4 rounded-xl bg-raised p-4">
      {form.error !== null && <ErrorNotice error={form.error} />}
      <TextField label={t`Title`} name="title" required autoFocus maxLength={150} autoComplete="off" />
      <SelectField label={t`Visibility`} name="visibility" defaultValue="PRIVATE">
        {(['PRIVATE', 'UNLISTED', 'PUBLIC'] as const).map((each) => (
          <option key={each} value={each}>
            {VISIBILITY[each]}
          </option>
        ))}
      </SelectField>
      <DialogButtons>
        <Button onClick={onCancel}>{t`Cancel`}</Button>
        <Button look="primary" type="submit" busy={form.busy}>{t`Create`}</Button>
      </DialogButtons>
    </form>
  );
}

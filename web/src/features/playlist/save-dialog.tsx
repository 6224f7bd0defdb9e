import { useState } from 'react';
import { RemoveFromPlaylist, type SaveChoiceFragment, SaveToPlaylist } from '../../gql/generated/operations.gen.ts';
import { api } from '../../lib/api.ts';
import { t } from '../../lib/i18n.ts';
import { Button, Spinner } from '../../ui/button.tsx';
import { Dialog, DialogButtons } from '../../ui/dialog.tsx';
import { Icon } from '../../ui/icons.tsx';
import { ErrorNotice } from '../../ui/notice.tsx';
import { NewPlaylist } from './new-playlist.tsx';
import { VISIBILITY } from './playlist-card.tsx';
import { SaveChoice } from './save-choice.tsx';
import { useSaveChoices, useSettled } from './use-save-choices.ts';
import { setWatchLater } from './watch-later.ts';

/** How many playlists are listed without a search field. */
const FEW = 8;

interface Properties {
  readonly contentId: string;
  readonly onClose: () => void;
}

/** In which of the viewer's lists a video is: Watch later and the playlists of their channel. */
export function SaveDialog({ contentId, onClose }: Properties) {
  const [title, setTitle] = useState('');
  const wanted = useSettled(title.trim());
  const { choices, content, playlists, total, addCreated } = useSaveChoices(contentId, wanted);
  const [isCreating, setCreating] = useState(false);
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
            <Choices contentId={contentId} content={content} playlists={playlists} />
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
                addCreated(playlist);
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

interface ChoicesProperties {
  readonly contentId: string;
  readonly content: { readonly isInWatchLater: boolean };
  readonly playlists: readonly SaveChoiceFragment[];
}

/** Watch later, and the playlists. */
function Choices({ contentId, content, playlists }: ChoicesProperties) {
  return (
    <>
      <li>
        <SaveChoice
          label={t`Watch later`}
          note={t`Private`}
          initial={content.isInWatchLater}
          save={(on) => setWatchLater(contentId, on)}
        />
      </li>
      {playlists.map((playlist) => (
        <li key={playlist.id}>
          <SaveChoice
            label={playlist.metadata.title}
            note={VISIBILITY[playlist.visibility]}
            initial={playlist.containsContent}
            save={(on) => setInPlaylist({ id: playlist.id, contentId }, on)}
          />
        </li>
      ))}
    </>
  );
}

async function setInPlaylist(item: { id: string; contentId: string }, on: boolean): Promise<void> {
  if (on) await api(SaveToPlaylist, item);
  else await api(RemoveFromPlaylist, item);
}

import { getRouteApi } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { Thumbnail } from '../../features/browse/content-card.tsx';
import { ContentLink } from '../../features/browse/content-link.tsx';
import {
  ClearHistory,
  RemoveFromHistory,
  WatchHistory,
  type WatchHistoryResult,
} from '../../gql/generated/operations.gen.ts';
import { api } from '../../lib/api.ts';
import { ago } from '../../lib/format.ts';
import { useAction } from '../../lib/hooks/use-action.ts';
import { usePages } from '../../lib/hooks/use-pages.ts';
import { focusHeading, useRowFocus } from '../../lib/hooks/use-row-focus.ts';
import { Trans, t } from '../../lib/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { Icon } from '../../ui/icons.tsx';
import { More } from '../../ui/more.tsx';
import { ErrorNotice } from '../../ui/notice.tsx';
import { EmptyLibrary, LibraryPage } from './library-pages.tsx';

const route = getRouteApi('/history');

type Watched = WatchHistoryResult['watchHistory']['edges'][number]['node'];

/** Watch history, latest first. Entries can be removed one by one or all at once. */
export function HistoryPage() {
  const first = route.useLoaderData();
  const pages = usePages<Watched>({
    queryKey: ['WatchHistory'],
    first,
    loadMore: async (after) => (await api(WatchHistory, { first: 30, after })).watchHistory,
  });
  const [removed, setRemoved] = useState<ReadonlySet<string>>(new Set());
  const [cleared, setCleared] = useState(false);
  const action = useAction();
  const { ref: list, ...rows } = useRowFocus<HTMLUListElement>();
  useEffect(() => {
    if (cleared && list.current) focusHeading(list.current);
  }, [cleared, list]);
  const shown = cleared ? [] : pages.nodes.filter(({ id }) => !removed.has(id));
  const remove = ({ id, content }: Watched): void => {
    if (!content) return;
    action.run(id, async () => {
      await api(RemoveFromHistory, { id: content.id });
      setRemoved((known) => new Set([...known, id]));
    });
  };
  return (
    <LibraryPage title={t`History`}>
      {action.error !== null && <ErrorNotice error={action.error} />}
      {shown.length === 0 && (
        <EmptyLibrary
          title={t`No watch history yet`}
        >{t`Videos you watch while signed in appear here, so you can resume where you left off.`}</EmptyLibrary>
      )}
      <div className="max-w-4xl">
        {shown.length > 0 && <ClearHistoryButton onCleared={() => setCleared(true)} />}
        <div ref={pages.list}>
          <ul ref={list} {...rows} className="space-y-5 empty:hidden">
            {shown.map((watched) => (
              <Entry
                key={watched.id}
                watched={watched}
                busy={action.busy === watched.id}
                onRemove={() => remove(watched)}
              />
            ))}
          </ul>
        </div>
        {!cleared && <More pages={pages}>{t`Show more`}</More>}
      </div>
    </LibraryPage>
  );
}

function ClearHistoryButton({ onCleared }: { onCleared: () => void }) {
  const [confirming, setConfirming] = useState(false);
  const clear = async (): Promise<void> => {
    await api(ClearHistory, {});
    onCleared();
  };
  return (
    <div className="mb-6">
      <Button onClick={() => setConfirming(true)}>
        <Icon name="trash" className="size-4.5" />
        {t`Clear watch history`}
      </Button>
      <Confirm
        open={confirming}
        title={t`Clear watch history?`}
        confirmLabel={t`Clear history`}
        onConfirm={clear}
        onClose={() => setConfirming(false)}
      >
        <p className="text-muted">{t`All watched videos and playback positions are removed. This cannot be undone.`}</p>
      </Confirm>
    </div>
  );
}

function Entry({ watched, busy, onRemove }: { watched: Watched; busy: boolean; onRemove: () => void }) {
  const { content, watchedAt, completed } = watched;
  if (!content)
    return (
      <li className="text-muted italic">
        {t`Unavailable video`} · {t`watched ${ago(watchedAt, Date.now())}`}
      </li>
    );
  const { title } = content.card;
  return (
    <li className="group relative flex items-start gap-4">
      <div className="w-36 shrink-0 sm:w-56">
        <Thumbnail content={content} sizes="14rem" />
      </div>
      <div className="min-w-0 grow space-y-1">
        <h2 className="line-clamp-2 leading-snug font-semibold [overflow-wrap:anywhere]">
          <ContentLink
            content={content}
            className="after:absolute after:inset-0 after:rounded-xl group-hover:text-accent-text"
          >
            <bdi>{title}</bdi>
          </ContentLink>
        </h2>
        <p className="text-sm text-muted">
          <bdi>{content.channel.metadata.title}</bdi> ·{' '}
          <Trans>
            watched <time dateTime={watchedAt}>{ago(watchedAt, Date.now())}</time>
          </Trans>
          {completed && ` · ${t`finished`}`}
        </p>
      </div>
      <Button
        look="quiet"
        busy={busy}
        className="relative z-10 shrink-0"
        aria-label={t`Remove ${title} from watch history`}
        onClick={onRemove}
      >
        <Icon name="close" className="size-5" />
      </Button>
    </li>
  );
}

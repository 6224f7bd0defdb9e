import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { Facts, Thumbnail } from '../../features/browse/content-card.tsx';
import { ContentLink } from '../../features/browse/content-link.tsx';
import { setWatchLater } from '../../features/playlist/watch-later.ts';
import { isPlayedKind, WATCH_LATER_LIST } from '../../features/queue/queue.ts';
import { type ContentCardFragment, WatchLater } from '../../gql/generated/operations.gen.ts';
import { api } from '../../lib/api.ts';
import { videoCountText } from '../../lib/format.ts';
import { useAction } from '../../lib/hooks/use-action.ts';
import { usePages } from '../../lib/hooks/use-pages.ts';
import { useRowFocus } from '../../lib/hooks/use-row-focus.ts';
import { t } from '../../lib/i18n.ts';
import { Button, buttonClass } from '../../ui/button.tsx';
import { Icon } from '../../ui/icons.tsx';
import { More } from '../../ui/more.tsx';
import { ErrorNotice } from '../../ui/notice.tsx';
import { EmptyLibrary, LibraryPage } from './library-pages.tsx';

const route = getRouteApi('/watch-later');
const SEARCH = { list: WATCH_LATER_LIST };
const LINK = 'after:absolute after:inset-0 after:rounded-xl group-hover:text-accent-text';

/** What the viewer saved to watch later, last added first; only they see it. */
export function WatchLaterPage() {
  const first = route.useLoaderData();
  const pages = usePages<ContentCardFragment>({
    queryKey: ['WatchLater'],
    first,
    loadMore: async (after) => (await api(WatchLater, { after })).me.watchLater,
  });
  const [removed, setRemoved] = useState<ReadonlySet<string>>(new Set());
  const action = useAction();
  const { ref: list, ...rows } = useRowFocus<HTMLUListElement>();
  const shown = pages.nodes.filter(({ id }) => !removed.has(id));
  const start = shown.find(isPlayedKind);
  const total = first.totalCount - removed.size;
  const remove = (id: string): void =>
    action.run(id, async () => {
      await setWatchLater(id, false);
      setRemoved((known) => new Set([...known, id]));
    });
  return (
    <LibraryPage title={t`Watch later`}>
      {action.error !== null && <ErrorNotice error={action.error} />}
      {shown.length === 0 && !pages.hasMore && (
        <EmptyLibrary
          title={t`Nothing to watch later yet`}
        >{t`Save videos from their page or from the menu of their card. Only you see this list.`}</EmptyLibrary>
      )}
      <div className="max-w-4xl">
        {start && (
          <p className="mb-6 flex items-center gap-4">
            <Link to="/w/$code" params={{ code: start.shortCode }} search={SEARCH} className={buttonClass('primary')}>
              <Icon name="play" className="size-4" />
              {t`Play all`}
            </Link>
            <span className="text-muted">
              {videoCountText(total)} · {t`Private`}
            </span>
          </p>
        )}
        <div ref={pages.list}>
          <ul ref={list} {...rows} className="space-y-5 empty:hidden">
            {shown.map((content) => (
              <Entry
                key={content.id}
                content={content}
                busy={action.busy === content.id}
                onRemove={() => remove(content.id)}
              />
            ))}
          </ul>
        </div>
        <More pages={pages}>{t`Show more`}</More>
      </div>
    </LibraryPage>
  );
}

interface EntryProperties {
  readonly content: ContentCardFragment;
  readonly busy: boolean;
  readonly onRemove: () => void;
}

function Entry({ content, busy, onRemove }: EntryProperties) {
  const { title } = content.card;
  return (
    <li className="group relative flex items-start gap-4">
      <div className="w-36 shrink-0 sm:w-56">
        <Thumbnail content={content} sizes="14rem" />
      </div>
      <div className="min-w-0 grow space-y-1">
        <h2 className="line-clamp-2 leading-snug font-semibold [overflow-wrap:anywhere]">
          {isPlayedKind(content) ? (
            <Link to="/w/$code" params={{ code: content.shortCode }} search={SEARCH} className={LINK}>
              <bdi>{title}</bdi>
            </Link>
          ) : (
            <ContentLink content={content} className={LINK}>
              <bdi>{title}</bdi>
            </ContentLink>
          )}
        </h2>
        <p className="text-sm text-muted">
          <bdi>{content.channel.metadata.title}</bdi> · <Facts content={content} />
        </p>
      </div>
      <Button
        look="quiet"
        busy={busy}
        className="relative z-10 shrink-0"
        aria-label={t`Remove ${title} from Watch later`}
        onClick={onRemove}
      >
        <Icon name="close" className="size-5" />
      </Button>
    </li>
  );
}

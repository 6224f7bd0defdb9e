import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { daysLeft } from '../../features/studio/content/days-left.ts';
import { KIND_NAMES } from '../../features/studio/kinds/kinds.ts';
import {
  PurgeContent,
  RestoreContent,
  StudioTrash,
  type StudioTrashResult,
} from '../../gql/generated/operations.gen.ts';
import { api } from '../../lib/api.ts';
import { ago } from '../../lib/format.ts';
import { useAction } from '../../lib/hooks/use-action.ts';
import { useRowFocus } from '../../lib/hooks/use-row-focus.ts';
import { Trans, t } from '../../lib/i18n.ts';
import { siteName } from '../../lib/site.ts';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { Empty, ErrorNotice } from '../../ui/notice.tsx';

const route = getRouteApi('/studio/trash');

type Trash = NonNullable<NonNullable<StudioTrashResult['channel']>['trash']>;
type Item = Trash['edges'][number]['node'];

/** Deleted contents: restore or delete permanently. */
export function StudioTrashPage() {
  const { trash: first } = route.useLoaderData();
  const { studio } = route.useRouteContext();
  const [items, setItems] = useState<readonly Item[]>(first.edges.map(({ node }) => node));
  const rows = useRowFocus<HTMLUListElement>();
  const [pageInfo, setPageInfo] = useState(first.pageInfo);
  const action = useAction();
  const more = async (): Promise<void> => {
    const page = (await api(StudioTrash, { id: studio.channel.id, after: pageInfo.endCursor })).channel?.trash;
    if (!page) return;
    setPageInfo(page.pageInfo);
    setItems((known) => [...known, ...page.edges.map(({ node }) => node)]);
  };
  const drop = (id: string): void => setItems((known) => known.filter((each) => each.id !== id));
  return (
    <div className="space-y-6">
      <title>{`${t`Trash`} · ${t`Studio`} · ${siteName()}`}</title>
      <header className="space-y-1">
        <h1 className="text-3xl font-bold">{t`Trash`}</h1>
        <p className="text-muted">{t`Deleted items can be restored for 30 days. After that, they and their files are
          permanently deleted.`}</p>
      </header>
      {items.length === 0 && <Empty title={t`Trash is empty`}>{t`Deleted videos and series appear here.`}</Empty>}
      <ul {...rows} className="divide-y divide-line card empty:hidden">
        {items.map((item) => (
          <TrashRow key={item.id} item={item} onRemoved={() => drop(item.id)} />
        ))}
      </ul>
      {action.error !== null && <ErrorNotice error={action.error} />}
      {pageInfo.hasNextPage && (
        <p className="text-center">
          <Button busy={action.busy !== null} onClick={() => action.run('more', more)}>{t`Show more`}</Button>
        </p>
      )}
    </div>
  );
}

function TrashRow({ item, onRemoved }: { item: Item; onRemoved: () => void }) {
  const [confirming, setConfirming] = useState(false);
  const action = useAction();
  const { title } = item.metadata;
  const restore = async (): Promise<void> => {
    await api(RestoreContent, { id: item.id });
    onRemoved();
  };
  const purge = async (): Promise<void> => {
    await api(PurgeContent, { id: item.id });
    onRemoved();
  };
  return (
    <li aria-label={title} className="flex flex-wrap items-center gap-x-4 gap-y-3 p-4">
      <div className="min-w-0 grow basis-60">
        <p className="font-semibold [overflow-wrap:anywhere]">
          <bdi>{title}</bdi>
        </p>
        <p className="text-sm text-muted">
          {[
            KIND_NAMES[item.kind],
            item.deletedAt && t`deleted ${ago(item.deletedAt, Date.now())}`,
            item.purgeAt && daysLeft(item.purgeAt, Date.now()),
          ]
            .filter(Boolean)
            .join(' · ')}
        </p>
      </div>
      <div className="flex flex-wrap gap-2">
        <Button
          busy={action.busy !== null}
          onClick={() => action.run('restore', restore)}
          aria-label={t`Restore ${title}`}
        >{t`Restore`}</Button>
        <Button
          look="quiet"
          onClick={() => setConfirming(true)}
          aria-label={t`Delete permanently: ${title}`}
        >{t`Delete permanently`}</Button>
      </div>
      {action.error !== null && (
        <div className="basis-full">
          <ErrorNotice error={action.error} />
        </div>
      )}
      <Confirm
        open={confirming}
        title={t`Delete permanently?`}
        confirmLabel={t`Delete permanently`}
        onConfirm={purge}
        onClose={() => setConfirming(false)}
      >
        <p>
          <Trans>
            <strong className="[overflow-wrap:anywhere]">{title}</strong>, everything in it and all files will be
            deleted. This cannot be undone.
          </Trans>
        </p>
      </Confirm>
    </li>
  );
}

import { getRouteApi, Link } from '@tanstack/react-router';
import { AdminHeader } from '../../features/admin/admin-header.tsx';
import { StorageBar, StorageParts } from '../../features/admin/storage-bar.tsx';
import {
  type ServerChannelPageFragment,
  ServerChannels,
  type ServerVideoPageFragment,
  ServerVideos,
} from '../../gql/generated/operations.gen.ts';
import { api } from '../../lib/api.ts';
import { contentTail } from '../../lib/did.ts';
import { byteSize } from '../../lib/format.ts';
import { usePages } from '../../lib/hooks/use-pages.ts';
import { t } from '../../lib/i18n.ts';
import { siteName } from '../../lib/site.ts';
import { More } from '../../ui/more.tsx';
import { Panel } from '../../ui/panel.tsx';

const route = getRouteApi('/admin/storage');

/** What is stored, by channel, and the videos that need the most. */
export function AdminStoragePage() {
  const { serverStorage, serverChannels, serverVideos } = route.useLoaderData();
  const { total } = serverStorage;
  return (
    <div className="mx-auto max-w-5xl space-y-6">
      <title>{`${t`Storage`} · ${t`Admin`} · ${siteName()}`}</title>
      <AdminHeader />
      <section aria-label={t`All channels`} className="space-y-3">
        <p className="text-2xl font-semibold">{t`${byteSize(total.totalBytes)} stored`}</p>
        <StorageBar stored={total} most={total.totalBytes} />
        <StorageParts stored={total} legend />
      </section>
      <Channels first={serverChannels} />
      <LargestVideos first={serverVideos} />
    </div>
  );
}

function Channels({ first }: { readonly first: ServerChannelPageFragment }) {
  const loadMore = async (after: string) => (await api(ServerChannels, { after })).serverChannels;
  const pages = usePages({ queryKey: ['ServerChannels'], first, loadMore, focus: 'li' });
  const most = pages.nodes[0]?.totalBytes ?? 0;
  return (
    <Panel title={t`Channels`} hint={t`Those that store the most come first.`}>
      <div ref={pages.list}>
        <ul className="divide-y divide-line">
          {pages.nodes.map(({ id, channel: { handle, name }, owner, ...stored }) => (
            <li key={id} tabIndex={-1} className="space-y-1.5 py-3">
              <p className="flex flex-wrap gap-x-3">
                <Link
                  to="/@{$handle}"
                  params={{ handle }}
                  dir="auto"
                  className="font-semibold [overflow-wrap:anywhere] hover:underline"
                >
                  {name}
                </Link>
                <bdi className="text-muted">{owner}</bdi>
                <span className="ms-auto tabular-nums">{byteSize(stored.totalBytes)}</span>
              </p>
              <StorageBar stored={stored} most={most} />
              <StorageParts stored={stored} />
            </li>
          ))}
        </ul>
        <More pages={pages}>{t`Show more`}</More>
      </div>
    </Panel>
  );
}

function LargestVideos({ first }: { readonly first: ServerVideoPageFragment }) {
  const loadMore = async (after: string) => (await api(ServerVideos, { after })).serverVideos;
  const pages = usePages({ queryKey: ['ServerVideos'], first, loadMore, focus: 'li' });
  return (
    <Panel
      title={t`Largest videos`}
      hint={t`Channels choose whether originals are kept; without its original, a video cannot be processed again.`}
    >
      {pages.nodes.length === 0 && <p className="text-muted">{t`No videos yet.`}</p>}
      <div ref={pages.list}>
        <ul className="divide-y divide-line empty:hidden">
          {pages.nodes.map(({ id, contentId, contentTitle, channel, originalBytes, derivedBytes, totalBytes }) => (
            <li key={id} tabIndex={-1} className="flex flex-wrap items-baseline gap-x-3 py-3">
              <Link
                to="/watch/$"
                params={{ _splat: contentTail(contentId) }}
                dir="auto"
                className="font-semibold [overflow-wrap:anywhere] hover:underline"
              >
                {contentTitle}
              </Link>
              <bdi className="text-muted">{channel.name}</bdi>
              <span className="ms-auto tabular-nums">{byteSize(totalBytes)}</span>
              <span className="w-full text-sm text-muted">
                {originalBytes > 0 ? t`Original ${byteSize(originalBytes)}` : t`Original deleted`} ·{' '}
                {t`streams and downloads ${byteSize(derivedBytes)}`}
              </span>
            </li>
          ))}
        </ul>
        <More pages={pages}>{t`Show more`}</More>
      </div>
    </Panel>
  );
}

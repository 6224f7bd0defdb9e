import { getRouteApi, Link, Outlet, useLocation, useNavigate } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { PlanNotice } from '../../features/account/plan-notice.tsx';
import { hasRole, type StudioContext } from '../../features/studio/studio-context.ts';
import { DropAnywhere } from '../../features/uploads/drop-anywhere.tsx';
import { uploadFiles } from '../../features/uploads/upload-commands.ts';
import type { ChannelRole } from '../../gql/generated/operations.gen.ts';
import { isSwitchedOn } from '../../gql/server-features.ts';
import { channelPath } from '../../lib/did.ts';
import { t } from '../../lib/i18n.ts';
import { buttonClass } from '../../ui/button.tsx';
import { SelectField } from '../../ui/field.tsx';
import { Icon } from '../../ui/icons.tsx';
import { Avatar, pickImage } from '../../ui/image.tsx';

const route = getRouteApi('/studio');

/** The pages of the studio, and the minimum role for each. */
const PAGES = [
  { to: '/studio', label: t`Dashboard`, icon: 'home', least: 'VIEWER' },
  { to: '/studio/videos', label: t`Videos`, icon: 'video', least: 'VIEWER' },
  { to: '/studio/live', label: t`Live`, icon: 'live', least: 'EDITOR' },
  { to: '/studio/series', label: t`Series`, icon: 'series', least: 'VIEWER' },
  { to: '/studio/playlists', label: t`Playlists`, icon: 'list', least: 'VIEWER' },
  { to: '/studio/comments', label: t`Comments`, icon: 'comments', least: 'EDITOR' },
  { to: '/studio/analytics', label: t`Analytics`, icon: 'chart', least: 'VIEWER' },
  { to: '/studio/channel', label: t`Channel`, icon: 'person', least: 'VIEWER' },
  { to: '/studio/trash', label: t`Trash`, icon: 'trash', least: 'MANAGER' },
] as const;

/** The layout of all studio pages: channel switcher and navigation. */
export function StudioShell() {
  const { studio } = route.useRouteContext();
  const nav = useRef<HTMLElement>(null);
  const { pathname } = useLocation();
  // On phones the navigation is wider than the window: scroll the current page into view.
  useEffect(() => {
    const link = pathname && nav.current?.querySelector<HTMLElement>('[aria-current=page]');
    if (link) nav.current?.scrollTo({ left: link.offsetLeft - nav.current.clientWidth / 2 + link.offsetWidth / 2 });
  }, [pathname]);
  const { channel, username, role } = studio;
  const mayUpload = hasRole(role, 'EDITOR');
  return (
    <div className="grid gap-x-10 gap-y-6 lg:grid-cols-[13rem_minmax(0,1fr)]">
      <div className="min-w-0 space-y-4 lg:sticky lg:top-21 lg:self-start">
        <ChannelSwitcher studio={studio} />
        <nav ref={nav} aria-label={t`Studio`} className="relative -mx-4 overflow-x-auto px-4 pb-1 sm:mx-0 sm:px-0">
          <ul className="flex gap-1 lg:flex-col">
            {PAGES.filter(({ least }) => hasRole(studio.role, least)).map(({ to, label, icon }) => (
              <li key={to}>
                <Link
                  to={to}
                  activeOptions={{ exact: to === '/studio', includeSearch: false }}
                  aria-current={parentListOf(pathname) === to ? 'page' : undefined}
                  className={
                    'flex items-center gap-3 rounded-lg px-3 py-2 font-medium whitespace-nowrap text-muted ' +
                    'hover:bg-raised hover:text-fore aria-[current=page]:bg-raised aria-[current=page]:text-fore'
                  }
                >
                  <Icon name={icon} className="size-5 max-lg:hidden" />
                  {label}
                </Link>
              </li>
            ))}
          </ul>
        </nav>
      </div>
      <div key={studio.channel.id} className="min-w-0 space-y-6">
        <PlanNotice subscription={studio.subscription} place="elsewhere" />
        <Outlet />
      </div>
      {mayUpload && <DropAnywhere onFiles={(files) => void uploadFiles(files, { channel: channel.id, username })} />}
    </div>
  );
}

/** The list that a content page belongs to; null for other pages. */
function parentListOf(pathname: string): (typeof PAGES)[number]['to'] | null {
  if (!pathname.startsWith('/studio/content/')) return null;
  return /^\/studio\/content\/(?:serie|season|miniserie|episode)\//.test(pathname)
    ? '/studio/series'
    : '/studio/videos';
}

/** A channel to choose, by the role of the account in it. */
const CHOICES: Readonly<Record<ChannelRole, (title: string) => string>> = {
  OWNER: (title) => title,
  MANAGER: (title) => t`${title} (manager)`,
  EDITOR: (title) => t`${title} (editor)`,
  VIEWER: (title) => t`${title} (viewer)`,
};

/** The current channel; a select for members of several. */
function ChannelSwitcher({ studio }: { studio: StudioContext }) {
  const navigate = useNavigate();
  const { title } = studio.channel.metadata;
  const change = (id: string): void => void navigate({ to: '/studio', search: { channel: channelPath(id) } });
  return (
    <div className="space-y-3">
      <div className="flex items-center gap-3">
        <Avatar image={pickImage(studio.channel.assets.images, 'AVATAR')} name={title} />
        <div className="min-w-0">
          <p className="truncate font-semibold">
            <bdi>{title}</bdi>
          </p>
          <p className="truncate text-sm text-muted">
            <bdi>@{studio.channel.handle}</bdi>
          </p>
        </div>
      </div>
      {studio.channel.isTest && (
        <p className="text-sm text-muted">{t`Only you see this channel. What is in it is deleted after 24 hours.`}</p>
      )}
      {studio.memberships.length > 1 && (
        <SelectField
          label={t`Channel`}
          value={studio.channel.id}
          onChange={(event) => change(event.currentTarget.value)}
        >
          {studio.memberships.map(({ channel, role }) => (
            <option key={channel.id} value={channel.id}>
              {CHOICES[role](channel.metadata.title)}
            </option>
          ))}
        </SelectField>
      )}
      {isSwitchedOn('CHANNELS') && (
        <Link to="/studio/new-channel" className={buttonClass('quiet', '-ms-2.5 text-sm')}>
          <Icon name="plus" className="size-4" /> {t`New channel`}
        </Link>
      )}
    </div>
  );
}

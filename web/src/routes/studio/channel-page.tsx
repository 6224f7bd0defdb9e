import { getRouteApi, Link } from '@tanstack/react-router';
import { ChannelImages } from '../../features/studio/channel/channel-images.tsx';
import { ChannelMembers } from '../../features/studio/channel/channel-members.tsx';
import { ChannelProfile } from '../../features/studio/channel/channel-profile.tsx';
import { ChannelStorage } from '../../features/studio/channel/channel-storage.tsx';
import { DeleteChannelPanel, TransferOwnershipPanel } from '../../features/studio/channel/delete-channel.tsx';
import { EnhancedPlayback } from '../../features/studio/channel/enhanced-playback.tsx';
import { MoreCodecs } from '../../features/studio/channel/more-codecs.tsx';
import { PrivatePlayback } from '../../features/studio/channel/private-playback.tsx';
import { SigningKeysPanel } from '../../features/studio/channel/signing-keys.tsx';
import { hasRole } from '../../features/studio/studio-context.ts';
import { t } from '../../lib/i18n.ts';
import { siteName } from '../../lib/site.ts';

const route = getRouteApi('/studio/channel');

/** Channel settings: profile, branding, storage, members, codecs, signing keys, transfer and deletion. */
export function StudioChannelPage() {
  const channel = route.useLoaderData();
  const { studio } = route.useRouteContext();
  return (
    <div className="space-y-6">
      <title>{`${t`Channel`} · ${t`Studio`} · ${siteName()}`}</title>
      <header className="space-y-1">
        <h1 className="text-3xl font-bold">{t`Channel`}</h1>
        <p>
          <Link
            to="/@{$handle}"
            params={{ handle: channel.handle }}
            className="text-accent-text underline underline-offset-3"
          >{t`View public page`}</Link>
        </p>
      </header>
      {hasRole(studio.role, 'MANAGER') && (
        <>
          <ChannelProfile channel={channel} />
          <ChannelImages channel={channel} />
        </>
      )}
      <ChannelStorage channel={channel} mayChange={hasRole(studio.role, 'MANAGER')} />
      <ChannelMembers channel={channel} studio={studio} />
      {hasRole(studio.role, 'MANAGER') && (
        <>
          <MoreCodecs channel={channel} />
          <EnhancedPlayback channel={channel} />
          <PrivatePlayback channel={channel} />
          <SigningKeysPanel channelId={channel.id} />
        </>
      )}
      {studio.role === 'OWNER' && studio.isDefaultChannel && (
        <p className="text-sm text-muted">{t`This is your account’s default channel. It cannot be transferred or
          deleted.`}</p>
      )}
      {studio.role === 'OWNER' && !studio.isDefaultChannel && (
        <>
          <TransferOwnershipPanel channel={channel} />
          <DeleteChannelPanel channel={channel} />
        </>
      )}
    </div>
  );
}

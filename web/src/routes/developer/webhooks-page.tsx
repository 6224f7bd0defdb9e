import { getRouteApi } from '@tanstack/react-router';
import { ChannelSelect } from '../../features/developer/channel-select.tsx';
import { DeveloperHeader } from '../../features/developer/developer-header.tsx';
import { ExampleRequest } from '../../features/webhooks/example-request.tsx';
import { VerificationGuide } from '../../features/webhooks/verification-guide.tsx';
import { WebhookList } from '../../features/webhooks/webhook-list.tsx';
import { t } from '../../lib/i18n.ts';
import { siteName } from '../../lib/site.ts';
import { Empty } from '../../ui/notice.tsx';

const route = getRouteApi('/settings/developer/webhooks');

/** The webhooks of a channel. */
export function WebhooksPage() {
  const { memberships, membership, webhooks } = route.useLoaderData();
  const { title: channelTitle } = membership.channel.metadata;
  return (
    <div className="mx-auto max-w-3xl space-y-6">
      <title>{`${t`Webhooks`} · ${siteName()}`}</title>
      <DeveloperHeader />
      <p className="overflow-x-clip text-muted">
        {t`Webhooks send a signed request to your server when something happens in ${channelTitle}.`}
      </p>
      <ChannelSelect to="/settings/developer/webhooks" memberships={memberships} channel={membership.channel.id} />
      {webhooks ? (
        <WebhookList key={membership.channel.id} channel={membership.channel.id} first={webhooks} />
      ) : (
        <Empty
          title={t`Manager access required`}
        >{t`Only the owner and managers of this channel can set up webhooks.`}</Empty>
      )}
      <ExampleRequest channel={membership.channel.id} />
      <VerificationGuide />
    </div>
  );
}

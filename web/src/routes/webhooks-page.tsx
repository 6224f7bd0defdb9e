import { getRouteApi } from '@tanstack/react-router';
import { ChannelChoice } from '../features/developer/channel-choice.tsx';
import { DeveloperHead } from '../features/developer/developer-head.tsx';
import { MessageExample } from '../features/webhooks/message-example.tsx';
import { VerifyHelp } from '../features/webhooks/verify-help.tsx';
import { WebhookList } from '../features/webhooks/webhook-list.tsx';
import { Empty } from '../ui/notice.tsx';

const route = getRouteApi('/settings/developer/webhooks');

/** Addresses that are told what happens in a channel. */
export function WebhooksPage() {
  const { seats, seat, webhooks } = route.useLoaderData();
  return (
    <div className="mx-auto max-w-3xl space-y-6">
      <title>Webhooks · Reelgraph</title>
      <DeveloperHead />
      <p className="text-muted">Webhooks send a signed request to your server when something happens in {seat.channel.metadata.title}.</p>
      <ChannelChoice to="/settings/developer/webhooks" seats={seats} channel={seat.channel.id} />
      {webhooks ? (
        <WebhookList key={seat.channel.id} channel={seat.channel.id} first={webhooks} />
      ) : (
        <Empty title="Manager access required">Only the owner and managers of this channel can set up webhooks.</Empty>
      )}
      <MessageExample channel={seat.channel.id} />
      <VerifyHelp />
    </div>
  );
}

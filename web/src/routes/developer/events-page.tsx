import { getRouteApi } from '@tanstack/react-router';
import { ChannelSelect } from '../../features/developer/channel-select.tsx';
import { DeveloperHeader } from '../../features/developer/developer-header.tsx';
import { EventLog } from '../../features/events/event-log.tsx';
import { Trans, t } from '../../lib/i18n.ts';
import { siteName } from '../../lib/site.ts';
import { Code } from '../../ui/code.tsx';

const route = getRouteApi('/settings/developer/events');

/** The live event log of a channel. */
export function EventsPage() {
  const { memberships, membership } = route.useLoaderData();
  return (
    <div className="mx-auto max-w-3xl space-y-6">
      <title>{`${t`Events`} · ${siteName()}`}</title>
      <DeveloperHeader />
      <p className="text-muted">
        <Trans>
          Everything that happens in a channel is recorded in one event log, kept for 30 days. Query it with{' '}
          <Code className="text-fore">events</Code>, follow it live with the subscription{' '}
          <Code className="text-fore">eventsAfter</Code>, or receive it through webhooks. Try the queries in the{' '}
          <a href="/graphql" className="text-accent-text underline underline-offset-3">
            API explorer
          </a>
          .
        </Trans>
      </p>
      <ChannelSelect to="/settings/developer/events" memberships={memberships} channel={membership.channel.id} />
      <EventLog key={membership.channel.id} channel={membership.channel.id} />
    </div>
  );
}

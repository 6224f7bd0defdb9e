import { getRouteApi } from '@tanstack/react-router';
import { ChannelChoice } from '../features/developer/channel-choice.tsx';
import { DeveloperHead } from '../features/developer/developer-head.tsx';
import { EventLog } from '../features/events/event-log.tsx';

const route = getRouteApi('/settings/developer/events');

/** What happens in a channel, while it happens. */
export function EventsPage() {
  const { seats, seat } = route.useLoaderData();
  return (
    <div className="mx-auto max-w-3xl space-y-6">
      <title>Events · Reelgraph</title>
      <DeveloperHead />
      <p className="text-muted">
        Everything that happens in a channel is recorded in one event log, kept for 30 days. Query it with{' '}
        <code className="text-fore">events</code>, follow it live with the subscription <code className="text-fore">eventsAfter</code>, or
        receive it through webhooks. Try the queries in the{' '}
        <a href="/graphql" className="text-accent-text underline underline-offset-3">
          API explorer
        </a>
        .
      </p>
      <ChannelChoice to="/settings/developer/events" seats={seats} channel={seat.channel.id} />
      <EventLog key={seat.channel.id} channel={seat.channel.id} />
    </div>
  );
}

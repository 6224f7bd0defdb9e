import { getRouteApi } from '@tanstack/react-router';
import { LiveInputs } from '../../features/live/live-inputs.tsx';
import { ScheduledStreams } from '../../features/live/scheduled-streams.tsx';
import { SetupHelp } from '../../features/live/setup-help.tsx';
import { hasRole } from '../../features/studio/studio-context.ts';
import { t } from '../../lib/i18n.ts';
import { siteName } from '../../lib/site.ts';
import { Empty } from '../../ui/notice.tsx';

const route = getRouteApi('/studio/live');

/** The live inputs of the channel, and how to broadcast to them. */
export function StudioLivePage() {
  const { studio } = route.useRouteContext();
  return (
    <div className="space-y-6">
      <title>{`${t`Live`} · ${t`Studio`} · ${siteName()}`}</title>
      {hasRole(studio.role, 'EDITOR') ? (
        <>
          <LiveInputs channel={studio.channel.id} />
          <ScheduledStreams channel={studio.channel.id} />
          <SetupHelp />
        </>
      ) : (
        <>
          <h1 className="text-3xl font-bold">{t`Live`}</h1>
          <Empty
            title={t`Editor access required`}
          >{t`Only the owner, managers and editors of this channel can broadcast.`}</Empty>
        </>
      )}
    </div>
  );
}

import { Link } from '@tanstack/react-router';
import type { StudioContentFragment } from '../../../gql/generated/operations.gen.ts';
import { watchPath } from '../../../lib/did.ts';
import { t } from '../../../lib/i18n.ts';
import { Panel } from '../../../ui/panel.tsx';

/** What will be published next; nothing without any. */
export function ScheduledPanel({ contents }: { contents: readonly StudioContentFragment[] }) {
  if (contents.length === 0) return null;
  const format = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' });
  return (
    <Panel title={t`Scheduled`}>
      <ol className="space-y-3">
        {contents.map(({ id, metadata, publishWhenReady }) => (
          <li key={id}>
            <Link
              to="/studio/content/$"
              params={{ _splat: watchPath(id) }}
              className="font-medium [overflow-wrap:anywhere] hover:text-accent-text"
            >
              {metadata.title}
            </Link>
            {metadata.releaseDate && (
              <p className="text-sm text-muted">
                <time dateTime={metadata.releaseDate}>{format.format(new Date(metadata.releaseDate))}</time>
                {publishWhenReady && t`, when it is processed`}
              </p>
            )}
          </li>
        ))}
      </ol>
    </Panel>
  );
}

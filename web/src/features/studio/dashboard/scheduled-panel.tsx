import { Link } from '@tanstack/react-router';
import type { StudioContentFragment } from '../../../gql/generated/operations.gen.ts';
import { contentTail } from '../../../lib/did.ts';
import { localInstant } from '../../../lib/format.ts';
import { Trans, t } from '../../../lib/i18n.ts';
import { Panel } from '../../../ui/panel.tsx';

/** What will be published next; nothing without any. */
export function ScheduledPanel({ contents }: { contents: readonly StudioContentFragment[] }) {
  if (contents.length === 0) return null;
  return (
    <Panel title={t`Scheduled`}>
      <ol className="space-y-3">
        {contents.map(({ id, metadata, publishWhenReady }) => (
          <li key={id}>
            <Link
              to="/studio/content/$"
              params={{ _splat: contentTail(id) }}
              dir="auto"
              className="font-medium [overflow-wrap:anywhere] hover:text-accent-text"
            >
              {metadata.title}
            </Link>
            {metadata.releaseDate && (
              <p className="text-sm text-muted">
                {publishWhenReady ? (
                  <Trans>
                    <time dateTime={metadata.releaseDate}>{localInstant(metadata.releaseDate)}</time>, when it is
                    processed
                  </Trans>
                ) : (
                  <time dateTime={metadata.releaseDate}>{localInstant(metadata.releaseDate)}</time>
                )}
              </p>
            )}
          </li>
        ))}
      </ol>
    </Panel>
  );
}

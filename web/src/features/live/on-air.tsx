import { Link } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import type { CurrentStreamFragment, LiveHealthFragment } from '../../gql/generated/operations.gen.ts';
import { contentTail } from '../../lib/did.ts';
import { ago, localInstant, watchingCountText } from '../../lib/format.ts';
import { t } from '../../lib/i18n.ts';
import { Button, buttonClass } from '../../ui/button.tsx';
import { healthText, healthWarnings } from './health-text.ts';
import { LiveClip } from './live-clip.tsx';
import { Warning } from './warning.tsx';

const LivePreview = lazy(async () => ({ default: (await import('./live-preview.tsx')).LivePreview }));

const ChatPanel = lazy(async () => ({ default: (await import('../chat/chat-panel.tsx')).ChatPanel }));

interface Properties {
  readonly stream: CurrentStreamFragment;
  readonly onEnd: () => void;
}

/** What a live input broadcasts: a preview, where it is, how it does, and its end. */
export function OnAir({ stream, onEnd }: Properties) {
  const { id, shortCode, metadata, broadcast } = stream;
  const { title } = metadata;
  return (
    <div className="grid items-start gap-5 md:grid-cols-2 lg:gap-6">
      <div className="aspect-video overflow-hidden rounded-xl bg-black">
        <Suspense fallback={null}>
          <LivePreview key={id} id={id} title={title} />
        </Suspense>
      </div>
      <div className="min-w-0 space-y-3">
        <h3 className="text-lg font-semibold [overflow-wrap:anywhere]">
          <Link to="/w/$code" params={{ code: shortCode }} className="hover:text-accent-text">
            <bdi>{title}</bdi>
          </Link>
        </h3>
        {broadcast?.startedAt != null && (
          <p className="text-muted">
            {[
              t`Live since ${localInstant(broadcast.startedAt)}`,
              ago(broadcast.startedAt, Date.now()),
              watchingCountText(broadcast.viewers ?? 0),
            ].join(' · ')}
          </p>
        )}
        <Health health={broadcast?.health ?? null} />
        <div className="flex flex-wrap gap-2">
          <LiveClip key={id} id={id} title={title} />
          <Button onClick={onEnd}>{t`End broadcast`}</Button>
          <Link to="/studio/content/$" params={{ _splat: contentTail(id) }} className={buttonClass('quiet')}>
            {t`Edit stream`}
          </Link>
        </div>
      </div>
      <div className="md:col-span-2">
        <Suspense fallback={null}>
          <ChatPanel key={id} streamId={id} channelId={stream.channel.id} moderates />
        </Suspense>
      </div>
    </div>
  );
}

/** What its encoder sends, and what is wrong with it. */
function Health({ health }: { readonly health: LiveHealthFragment | null }) {
  const warnings = health ? healthWarnings(health) : [];
  return (
    <>
      {health && <p className="tabular-nums">{healthText(health)}</p>}
      <ul className="space-y-3 empty:hidden">
        {warnings.map(({ title, text }) => (
          <li key={title}>
            <Warning title={title} text={text} />
          </li>
        ))}
      </ul>
    </>
  );
}

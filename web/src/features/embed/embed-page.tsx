import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useCallback, useEffect, useState } from 'react';
import { Embed, type EmbedResult, type EmbedVariables } from '../../gql/generated/operations.gen.ts';
import { ApiError } from '../../lib/api.ts';
import { contentDid, namespace } from '../../lib/did.ts';
import { t } from '../../lib/i18n.ts';
import { operationQuery } from '../../lib/query.ts';
import { siteName } from '../../lib/site.ts';
import { wholeNumber } from '../../lib/url.ts';
import type { PlayerController } from '../../player/controller.ts';
import type { PlayerStart } from '../../player/use-controller.ts';
import { Button, Spinner } from '../../ui/button.tsx';
import { pickImage } from '../../ui/image.tsx';
import { Logo } from '../../ui/logo.tsx';
import { broadcastOf, isUpcoming } from '../browse/broadcast-sign.ts';
import { Countdown } from '../watch/countdown.tsx';
import { PlayContent } from '../watch/play-content.tsx';
import { PageBridge } from './page-bridge.ts';
import { subjectOf, TokenPlayer, usePlayback } from './token-player.tsx';

type Content = NonNullable<EmbedResult['content']>;

const QUERY = new URLSearchParams(location.search);
const isOn = (name: string): boolean => QUERY.get(name) === '1';
/** What the page around the frame asks for in the address. */
const START: PlayerStart = {
  ...(isOn('autoplay') ? { autoplay: true } : {}),
  muted: isOn('muted'),
  loop: isOn('loop'),
};
const IS_BARE = QUERY.get('controls') === '0';
const HAS_CHAT = isOn('chat');
const EmbedChat = lazy(async () => ({ default: (await import('./embed-chat.tsx')).EmbedChat }));
const bridge = new PageBridge(window);

/** The player of the content that the URL names, filling the frame; or why there is none. */
export function EmbedPage() {
  const tail = decodeURIComponent(location.pathname.replace(/^\/embed\/?|\/$/g, ''));
  const named = contentDid(tail, namespace());
  const token = QUERY.get('token');
  const allowed = token === null ? null : (named ?? subjectOf(token));
  return (
    <main className="h-dvh bg-black text-white">
      {token !== null && allowed !== null ? (
        <TokenEmbed id={allowed} token={token} />
      ) : (
        <OpenEmbed content={named === null ? { shortCode: tail } : { id: named }} />
      )}
    </main>
  );
}

/** Of a content that the viewer may see, by its id or its short code. */
function OpenEmbed({ content }: { content: EmbedVariables }) {
  const { data, error, refetch, isPending } = useQuery(operationQuery(Embed, content));
  const retry = useCallback(() => void refetch(), [refetch]);
  if (isPending) return <Loading />;
  return <Shown content={data?.content ?? null} error={isNotFound(error) ? null : error} onRetry={retry} />;
}

/** Of a content that a playback token of the page around the frame allows. */
function TokenEmbed({ id, token }: { id: string; token: string }) {
  const { data, error, refetch, isPending } = usePlayback(id, token);
  if (isPending) return <Loading />;
  if (!data) return <Failure error={error} onRetry={() => void refetch()} />;
  return (
    <>
      <title>{`${data.title} · ${siteName()}`}</title>
      <TokenPlayer
        contentId={id}
        playback={data}
        from={startAt() ?? 0}
        start={START}
        bare={IS_BARE}
        onPlayer={bridge.attach}
      />
    </>
  );
}

/** The position in the page's URL, in seconds. */
function startAt(): number | undefined {
  return wholeNumber('t', QUERY.get('t') ?? undefined).t;
}

const isNotFound = (error: unknown): boolean => error instanceof ApiError && error.code === 'RESOURCE_NOT_FOUND';

function Loading() {
  return (
    <p role="status" className="grid h-full place-items-center">
      <Spinner className="size-10" />
      <span className="sr-only">{t`Loading…`}</span>
    </p>
  );
}

function Shown({ content, error, onRetry }: { content: Content | null; error: unknown; onRetry: () => void }) {
  const [player, setPlayer] = useState<PlayerController | null>(null);
  const attach = useCallback((shown: PlayerController | null): void => {
    bridge.attach(shown);
    setPlayer(shown);
  }, []);
  if (error !== null) return <Failure error={error} onRetry={onRetry} />;
  if (!content) return <Message text={t`This video is not available.`} />;
  const broadcast = broadcastOf(content);
  const { title } = content.metadata;
  const path = `/w/${content.shortCode}`;
  const link = (
    <a
      href={path}
      target="_blank"
      rel="noopener"
      dir="auto"
      aria-label={t`${title} on ${siteName()}, in a new tab`}
      className="line-clamp-2 font-semibold underline-offset-3 hover:underline"
    >
      {title}
    </a>
  );
  return (
    <div className="flex h-full max-md:flex-col">
      <title>{`${title} · ${siteName()}`}</title>
      <div className="min-h-0 min-w-0 grow">
        <PlayContent
          content={content}
          from={startAt()}
          fill
          start={START}
          bare={IS_BARE}
          onPlayer={attach}
          top={link}
          otherwise={
            broadcast && isUpcoming(broadcast) ? (
              <Countdown
                id={content.id}
                broadcast={broadcast}
                image={pickImage(content.assets.images, 'POSTER', 'THUMBNAIL')}
                onStart={onRetry}
                top={link}
              />
            ) : (
              <Message text={t`This video is not ready to play.`} />
            )
          }
        />
      </div>
      {HAS_CHAT && (
        <Suspense fallback={null}>
          <EmbedChat streamId={content.id} path={path} player={player} />
        </Suspense>
      )}
    </div>
  );
}

function Failure({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  return (
    <Message text={error instanceof ApiError ? error.message : t`The video could not be loaded.`}>
      <Button look="primary" onClick={onRetry}>{t`Try again`}</Button>
    </Message>
  );
}

function Message({ text, children }: { text: string; children?: React.ReactNode }) {
  useEffect(() => bridge.fail(text), [text]);
  return (
    <div className="grid h-full place-items-center content-center gap-4 p-6 text-center">
      <p role="status">{text}</p>
      {children}
      <a
        href="/"
        target="_blank"
        rel="noopener"
        className="flex items-center gap-2 text-sm text-white/75 underline underline-offset-3 hover:text-white"
      >
        <Logo className="size-5" />
        {siteName()}
      </a>
    </div>
  );
}

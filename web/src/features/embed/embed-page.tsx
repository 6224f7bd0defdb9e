import { useQuery } from '@tanstack/react-query';
import { Embed, type EmbedResult } from '../../gql/generated/operations.gen.ts';
import { ApiError } from '../../lib/api.ts';
import { contentDid, namespace, watchPath } from '../../lib/did.ts';
import { operationQuery } from '../../lib/query.ts';
import { wholeNumber } from '../../lib/url.ts';
import { Button, Spinner } from '../../ui/button.tsx';
import { PlayContent } from '../watch/play-content.tsx';

type Content = NonNullable<EmbedResult['content']>;

/** The player of the content that the URL names, filling the frame; or why there is none. */
export function EmbedPage() {
  const id = contentDid(decodeURIComponent(location.pathname.replace(/^\/embed\/?|\/$/g, '')), namespace());
  const { data, error, refetch, isPending } = useQuery({
    ...operationQuery(Embed, { id: id ?? '' }),
    enabled: id !== null,
  });
  return (
    <main className="h-dvh bg-black text-white">
      {isPending && id !== null ? (
        <Loading />
      ) : (
        <Shown
          content={data?.content ?? null}
          error={isNotFound(error) ? null : error}
          onRetry={() => void refetch()}
        />
      )}
    </main>
  );
}

const isNotFound = (error: unknown): boolean => error instanceof ApiError && error.code === 'RESOURCE_NOT_FOUND';

function Loading() {
  return (
    <p role="status" className="grid h-full place-items-center">
      <Spinner className="size-10" />
      <span className="sr-only">Loading…</span>
    </p>
  );
}

function Shown({ content, error, onRetry }: { content: Content | null; error: unknown; onRetry: () => void }) {
  if (error !== null) {
    return (
      <Message text={error instanceof ApiError ? error.message : 'The video could not be loaded.'}>
        <Button look="primary" onClick={onRetry}>
          Try again
        </Button>
      </Message>
    );
  }
  if (!content) return <Message text="This video is not available." />;
  const { title } = content.metadata;
  const path = `/watch/${watchPath(content.id)}`;
  const { t } = wholeNumber('t', new URLSearchParams(location.search).get('t') ?? undefined);
  return (
    <>
      <title>{`${title} · Reelgraph`}</title>
      <PlayContent
        content={content}
        from={t}
        fill
        top={
          <a
            href={path}
            target="_blank"
            rel="noopener"
            className="line-clamp-2 font-semibold underline-offset-3 hover:underline"
          >
            {title}
            <span className="sr-only"> on Reelgraph, in a new tab</span>
          </a>
        }
        otherwise={<Message text="This video is not ready to play." />}
      />
    </>
  );
}

function Message({ text, children }: { text: string; children?: React.ReactNode }) {
  return (
    <div className="grid h-full place-items-center content-center gap-4 p-6 text-center">
      <p role="status">{text}</p>
      {children}
      <a
        href="/"
        target="_blank"
        rel="noopener"
        className="text-sm text-white/75 underline underline-offset-3 hover:text-white"
      >
        Reelgraph
      </a>
    </div>
  );
}

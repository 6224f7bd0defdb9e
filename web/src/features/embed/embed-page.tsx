import { useEffect, useState } from 'react';
import { Embed, type EmbedResult } from '../../gql/generated/operations.gen.ts';
import { ApiError, api } from '../../lib/api.ts';
import { contentDid, namespace, watchPath } from '../../lib/did.ts';
import { wholeNumber } from '../../lib/url.ts';
import { Button, Spinner } from '../../ui/button.tsx';
import { PlayContent } from '../watch/play-content.tsx';

type Content = NonNullable<EmbedResult['content']>;
type Found = { readonly content: Content } | 'missing' | { readonly error: unknown };

/** The player of the content that the address names, over the whole frame; or why there is none. */
export function EmbedPage() {
  const [found, setFound] = useState<Found | null>(null);
  const [attempt, setAttempt] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt asks again
  useEffect(() => {
    let current = true;
    void loadContent().then((answer) => current && setFound(answer));
    return () => {
      current = false;
    };
  }, [attempt]);
  return (
    <main className="h-dvh bg-black text-white">
      {found === null ? <Loading /> : <Shown found={found} onAgain={() => setAttempt(attempt + 1)} />}
    </main>
  );
}

async function loadContent(): Promise<Found> {
  const id = contentDid(decodeURIComponent(location.pathname.replace(/^\/embed\/?|\/$/g, '')), namespace());
  if (!id) return 'missing';
  try {
    const { content } = await api(Embed, { id });
    return content ? { content } : 'missing';
  } catch (error) {
    return error instanceof ApiError && error.code === 'RESOURCE_NOT_FOUND' ? 'missing' : { error };
  }
}

function Loading() {
  return (
    <p role="status" className="grid h-full place-items-center">
      <Spinner className="size-10" />
      <span className="sr-only">Loading…</span>
    </p>
  );
}

function Shown({ found, onAgain }: { found: Found; onAgain: () => void }) {
  if (found === 'missing') return <Message text="This video is not available." />;
  if ('error' in found) {
    const said = found.error instanceof ApiError ? found.error : null;
    return (
      <Message text={said?.message ?? 'The video could not be loaded.'}>
        <Button look="primary" onClick={onAgain}>
          Try again
        </Button>
      </Message>
    );
  }
  const { content } = found;
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
          <a href={path} target="_blank" rel="noopener" className="line-clamp-2 font-semibold underline-offset-3 hover:underline">
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
      <a href="/" target="_blank" rel="noopener" className="text-sm text-white/75 underline underline-offset-3 hover:text-white">
        Reelgraph
      </a>
    </div>
  );
}

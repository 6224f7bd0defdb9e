import { useEffect, useRef, useState } from 'react';
import { HoverPreviewClip } from '../../gql/generated/operations.gen.ts';
import { operationQuery, queryClient } from '../../lib/query.ts';
import { allowsMotion } from '../../lib/reduced-motion.ts';
import { sameOriginUrl } from '../../lib/url.ts';

/** How long the pointer must rest on a card before the preview plays. */
const HOVER_DELAY_MS = 600;

/** URL of the clip, or null where there is none; loaded once. */
async function loadClip(id: string): Promise<string | null> {
  const { content } = await queryClient.fetchQuery({
    ...operationQuery(HoverPreviewClip, { id }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  return content?.outputAssets?.video.preview ?? null;
}

/**
 * A muted preview clip over the thumbnail while the pointer rests on the card. Not on touch screens, and not with
 * reduced motion or reduced data.
 */
export function HoverPreview({ contentId }: { contentId: string }) {
  const anchor = useRef<HTMLSpanElement>(null);
  const [clip, setClip] = useState<string | null>(null);
  useEffect(() => {
    const card = anchor.current?.closest('.group');
    if (!(card instanceof HTMLElement)) return;
    const closing = new AbortController();
    const { signal } = closing;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let resting = false;
    const leave = (): void => {
      resting = false;
      clearTimeout(timer);
      setClip(null);
    };
    const enter = ({ pointerType }: PointerEvent): void => {
      if (pointerType !== 'mouse' || !allowsMotion()) return;
      resting = true;
      timer = setTimeout(() => {
        // Without a clip the thumbnail stays.
        loadClip(contentId).then(
          (address) => resting && setClip(address),
          () => undefined,
        );
      }, HOVER_DELAY_MS);
    };
    card.addEventListener('pointerenter', enter, { signal });
    card.addEventListener('pointerleave', leave, { signal });
    return () => {
      leave();
      closing.abort();
    };
  }, [contentId]);
  return <span ref={anchor}>{clip !== null && <Clip address={sameOriginUrl(clip)} />}</span>;
}

/** Invisible until it plays, so that the thumbnail stays while the clip loads. */
function Clip({ address }: { address: string }) {
  const [plays, setPlays] = useState(false);
  return (
    <video
      src={address}
      muted
      autoPlay
      loop
      playsInline
      disablePictureInPicture
      disableRemotePlayback
      aria-hidden="true"
      tabIndex={-1}
      onPlaying={() => setPlays(true)}
      className={
        'pointer-events-none absolute inset-0 size-full object-cover ' +
        `transition-opacity duration-200 ${plays ? '' : 'opacity-0'}`
      }
    />
  );
}

import { Link } from '@tanstack/react-router';
import type { WatchResult } from '../../gql/generated/operations.gen.ts';
import type { PlayerController } from '../../player/controller.ts';
import { PlayContent } from './play-content.tsx';

export type Watched = NonNullable<WatchResult['content']>;

interface Properties {
  readonly content: Watched;
  /** Start position in seconds, from the URL. */
  readonly from: number | undefined;
  readonly onEnded: () => void;
  readonly onPlayer: (player: PlayerController | null) => void;
}

/** The player, or why the video cannot be played. */
export function VideoStage({ content, from, onEnded, onPlayer }: Properties) {
  return (
    <div className="-mx-4 -mt-6 overflow-hidden bg-black sm:mx-0 sm:mt-0 sm:rounded-2xl">
      <PlayContent
        content={content}
        from={from}
        onEnded={onEnded}
        onPlayer={onPlayer}
        otherwise={<NotReady status={content.status} />}
      />
    </div>
  );
}

function NotReady({ status }: { status: Watched['status'] }) {
  const message = {
    DRAFT: 'No file has been uploaded for this video yet.',
    PROCESSING: 'This video is being processed. Check back soon.',
    FAILED: 'This video could not be processed.',
    READY: 'This video is not ready to play yet.',
    PUBLISHED: 'This video is not ready to play yet.',
  }[status];
  return (
    <div
      role="status"
      className={
        'grid aspect-video max-h-[60dvh] w-full place-items-center border ' +
        'border-line bg-surface px-6 text-center text-muted sm:rounded-2xl'
      }
    >
      <p>
        {message}{' '}
        {status !== 'PUBLISHED' && (
          <Link to="/studio" className="text-accent-text underline underline-offset-3">
            Open Studio
          </Link>
        )}
      </p>
    </div>
  );
}

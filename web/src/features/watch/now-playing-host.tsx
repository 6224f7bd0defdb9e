import { useMemo } from 'react';
import { createPortal } from 'react-dom';
import { MiniPlayer } from './mini-player.tsx';
import { playerFrame, setLayer, setPlayer, toggleTheatre, useNowPlaying } from './now-playing.ts';
import { PlayContent } from './play-content.tsx';

/** One object, because another one is another player. */
const WAITS = { start: { autoplay: false } } as const;

/** The player of the application, in the page of the video or in the mini player. */
export function NowPlayingHost() {
  const { playing, isMini, theatre } = useNowPlaying();
  const wide = useMemo(() => ({ on: theatre, toggle: toggleTheatre }), [theatre]);
  return (
    <>
      <MiniPlayer />
      {playing &&
        createPortal(
          <PlayContent
            key={playing.content.id}
            content={playing.content}
            from={playing.from}
            fill={isMini}
            bare={isMini}
            {...(playing.waits ? WAITS : {})}
            theatre={wide}
            onPlayer={setPlayer}
            onLayer={setLayer}
            otherwise={null}
          />,
          playerFrame,
        )}
    </>
  );
}

import { useSyncExternalStore } from 'react';
import type { WatchResult } from '../../gql/generated/operations.gen.ts';
import type { PlayerController } from '../../player/controller.ts';
import { playableOf } from '../../player/player-box.ts';
import { readPreferences, savePreferences } from '../../player/preferences.ts';

export type Watched = NonNullable<WatchResult['content']>;

/** What is played, and how its page is addressed. */
export interface Playing {
  readonly content: Watched;
  /** Start position in seconds, from the URL. */
  readonly from: number | undefined;
  /** Whether it waits for Play: the viewer came for a comment. */
  readonly waits: boolean;
  /** Search parameters that keep the queue in the URL. */
  readonly search: { readonly list?: string; readonly item?: string };
}

interface State {
  readonly playing: Playing | null;
  /** Whether it is played in the mini player, because the viewer left its page. */
  readonly isMini: boolean;
  readonly theatre: boolean;
  /** Null until the player is mounted. */
  readonly player: PlayerController | null;
  /** An element over the video, for what the page shows there. */
  readonly layer: HTMLElement | null;
}

const listeners = new Set<() => void>();
let state: State = {
  playing: null,
  isMini: false,
  theatre: readPreferences().theatre,
  player: null,
  layer: null,
};

function update(change: Partial<State>): void {
  state = { ...state, ...change };
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** What is played now, on its page or in the mini player. */
export function useNowPlaying(): State {
  return useSyncExternalStore(subscribe, () => state);
}

/**
 * The player is in this element, which moves between the watch page and the mini player. Moving it within one task does
 * not interrupt the video.
 */
export const playerFrame = document.createElement('div');
playerFrame.className = 'size-full';
let dock: HTMLElement | null = null;

/** Where the mini player has its video. */
export function setDock(element: HTMLElement | null): void {
  dock = element;
}

const urlOf = ({ content }: Playing): string | null | undefined => playableOf(content.assets.videos)?.playlistUrl;

/** Plays a content on its page; continues where it is already played. */
export function playOnPage(next: Playing, slot: HTMLElement): void {
  const { playing, player } = state;
  slot.append(playerFrame);
  const continues = playing?.content.id === next.content.id && Boolean(urlOf(playing));
  if (!continues) {
    update({ playing: next, isMini: false });
    return;
  }
  update({ playing: { ...next, content: playing.content, waits: playing.waits }, isMini: false });
  if (next.from !== undefined && next.from !== playing.from) player?.seek(next.from);
}

/** When its page is left: a video that is playing continues in the mini player. */
export function leavePage(): void {
  const video = playerFrame.querySelector('video');
  if (!dock || !video || video.paused || video.ended) {
    stopPlaying();
    return;
  }
  dock.append(playerFrame);
  update({ isMini: true });
}

export function stopPlaying(): void {
  update({ playing: null, isMini: false });
}

export function setPlayer(player: PlayerController | null): void {
  update({ player });
}

export function setLayer(layer: HTMLElement | null): void {
  if (layer !== state.layer) update({ layer });
}

export function toggleTheatre(): void {
  savePreferences({ theatre: !state.theatre });
  update({ theatre: !state.theatre });
}

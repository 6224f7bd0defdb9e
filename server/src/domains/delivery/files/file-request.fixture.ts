import type { FileRequest } from './generated-media.ts';

/** A request of a player in a page. */
export const PLAYER_REQUEST: FileRequest = {
  ...{ isForElement: false, query: new URLSearchParams() },
  whenAbandoned: () => () => {},
};

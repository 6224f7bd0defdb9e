/** The folder of a broadcast below that of its video. */
export const LIVE_NAME = 'live';
/** The DASH manifest of a broadcast, in that folder. */
export const LIVE_MANIFEST = 'index.mpd';
/** The time of the server, beside it. */
export const LIVE_CLOCK = 'time.txt';

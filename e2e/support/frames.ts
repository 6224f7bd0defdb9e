import type { Page } from 'playwright-core';
import { COUNTER } from './clips.ts';

/** In the page: the number of the frame that the video shows, read from its picture. */
const NUMBER_SHOWN = `(() => {
  const video = document.querySelector('video');
  const size = { width: ${COUNTER.width}, height: ${COUNTER.height} };
  const canvas = Object.assign(document.createElement('canvas'), size);
  const context = canvas.getContext('2d');
  context.drawImage(video, 0, 0, ${COUNTER.width}, ${COUNTER.height});
  const isLit = (bit) =>
    context.getImageData((bit + 0.5) * ${COUNTER.bitWidth}, ${COUNTER.height / 2}, 1, 1).data[0] > 127;
  return Array.from({ length: ${COUNTER.bits} }, (_, bit) => (isLit(bit) ? 2 ** bit : 0)).reduce((a, b) => a + b);
})()`;

/** In the page: calls `done` with the number that the next frame has by its time, and the one that it shows. */
const ON_FRAME = (done: string): string => `video.requestVideoFrameCallback((_, { mediaTime }) =>
  ${done}([Math.round(mediaTime * ${COUNTER.framesPerSecond}), ${NUMBER_SHOWN}]))`;

/** Seeks to the middle of frames; for each, the number of the frame there and the number that it shows. */
export const framesAt = (page: Page, frames: readonly number[]): Promise<[number, number][]> =>
  page.evaluate(`(async () => {
    const video = document.querySelector('video');
    const shown = [];
    for (const frame of ${JSON.stringify(frames)}) {
      const painted = new Promise((done) => ${ON_FRAME('done')});
      video.currentTime = (frame + 0.5) / ${COUNTER.framesPerSecond};
      shown.push(await painted);
    }
    return shown;
  })()`);

/** The same for frames that follow each other while the video plays. */
export const framesPlayed = (page: Page, count: number): Promise<[number, number][]> =>
  page.evaluate(`new Promise((done) => {
    const video = document.querySelector('video');
    const shown = [];
    const next = (frame) => {
      shown.push(frame);
      if (shown.length < ${count}) ${ON_FRAME('next')};
      else done(shown);
    };
    ${ON_FRAME('next')};
  })`);

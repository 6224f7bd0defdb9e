import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { INITIAL_STATE, type PlayerState } from '../../player/player-state.ts';
import { changesBetween } from './page-bridge.ts';

describe('events for the page around the player', () => {
  const playing: Partial<PlayerState> = { playing: true, notStarted: false, duration: 60, time: 10 };
  const cases: [what: string, before: Partial<PlayerState>, after: Partial<PlayerState>, events: string[]][] = [
    ['nothing changed', playing, playing, []],
    ['the length is known', {}, { duration: 60 }, ['durationchange']],
    ['it starts', { waiting: true }, { playing: true, waiting: false }, ['play', 'playing']],
    ['it is to start, but waits', {}, { playing: true, waiting: true }, ['play', 'waiting']],
    ['it goes on', { ...playing, waiting: true }, { ...playing, time: 11 }, ['playing', 'timeupdate']],
    ['it is paused', playing, { ...playing, playing: false }, ['pause']],
    [
      'it ends',
      { ...playing, time: 59 },
      { ...playing, time: 60, playing: false, ended: true },
      ['timeupdate', 'pause', 'ended'],
    ],
    ['it is muted', playing, { ...playing, muted: true }, ['volumechange']],
    ['it is faster', playing, { ...playing, rate: 2 }, ['ratechange']],
    ['only the page shows it', playing, { ...playing, levels: [], fullscreen: true }, []],
  ];
  for (const [what, before, after, events] of cases)
    it(`when ${what}`, () => {
      assert.deepEqual(changesBetween({ ...INITIAL_STATE, ...before }, { ...INITIAL_STATE, ...after }), events);
    });
});

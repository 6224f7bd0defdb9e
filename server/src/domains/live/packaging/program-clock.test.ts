import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ProgramClock } from './program-clock.ts';

const NOON = Date.UTC(2026, 10, 29, 12);

describe('the clock of a program', () => {
  it('begins with the first arrival', () => {
    const clock = new ProgramClock();
    assert.equal(clock.at(0), null);
    clock.note(0.5, NOON + 500);
    assert.equal(clock.at(0), NOON);
    assert.equal(clock.at(2), NOON + 2_000);
  });

  it('does not follow what arrives late once', () => {
    const clock = new ProgramClock();
    clock.note(0, NOON);
    clock.at(0);
    clock.note(1, NOON + 1_000);
    clock.note(2, NOON + 2_900);
    assert.equal(clock.at(2), NOON + 2_000);
  });

  it('follows a drift of the encoder by at most a hundredth', () => {
    const clock = new ProgramClock();
    clock.note(0, NOON);
    clock.at(0);
    clock.note(2, NOON + 2_500);
    assert.equal(clock.at(2), NOON + 2_020);
    clock.note(4, NOON + 4_030);
    assert.equal(clock.at(4), NOON + 4_030);
  });

  it('keeps within a second of a clock that is wrong by a thousandth, for a day', () => {
    const clock = new ProgramClock();
    let worstMs = 0;
    for (let seconds = 0; seconds <= 86_400; seconds += 2) {
      const nowMs = NOON + 1_001 * seconds;
      clock.note(seconds, nowMs);
      worstMs = Math.max(worstMs, Math.abs((clock.at(seconds) ?? 0) - nowMs));
    }
    assert.ok(worstMs <= 1, `${worstMs}`);
  });

  it('begins again after an interruption', () => {
    const clock = new ProgramClock();
    clock.note(0, NOON);
    clock.at(0);
    clock.restart();
    clock.note(2, NOON + 60_000);
    assert.equal(clock.at(2), NOON + 60_000);
  });
});

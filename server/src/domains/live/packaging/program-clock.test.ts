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

  it('goes on evenly, whatever the encoder’s clock does in seconds', () => {
    const clock = new ProgramClock();
    clock.note(0, NOON);
    clock.at(0);
    clock.note(8.333, NOON + 8_360);
    assert.equal(clock.at(8.333), NOON + 8_333);
    clock.note(16.666, NOON + 16_600);
    assert.equal(clock.at(16.666), NOON + 16_666);
  });

  it('keeps within seconds of a clock that is wrong by a thousandth, for a day, and moves seldom', () => {
    const clock = new ProgramClock();
    let worstMs = 0;
    const offsets = new Set<number>();
    for (let seconds = 0; seconds <= 86_400; seconds += 2) {
      const nowMs = NOON + 1_001 * seconds;
      clock.note(seconds, nowMs);
      const at = clock.at(seconds) ?? 0;
      worstMs = Math.max(worstMs, Math.abs(at - nowMs));
      offsets.add(at - 1_000 * seconds);
    }
    assert.equal(worstMs, 3_000);
    // By 86.4 s in a day.
    assert.equal(offsets.size, 29);
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

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { holdOffUntil } from './hold-off.ts';

describe('holding off an encoder whose broadcast was ended', () => {
  it('lasts a minute at least, and ten at most', () => {
    assert.equal(holdOffUntil(1_000_000, 1_000_000), 1_060_000);
    assert.equal(holdOffUntil(1_000_000, 990_000), 1_060_000);
    assert.equal(holdOffUntil(1_000_000, 900_000), 1_200_000);
    assert.equal(holdOffUntil(5_000_000, 1_000_000), 5_600_000);
  });

  it('outlasts half an hour of attempts, each after half as long again', () => {
    let [now, last, until] = [0, 0, holdOffUntil(0, 0)];
    for (let pause = 2_000; pause < 400_000; pause *= 1.5) {
      now += pause;
      assert.ok(now < until, `attempt after ${pause} ms`);
      [until, last] = [holdOffUntil(now, last), now];
    }
    assert.ok(now > 900_000);
  });
});

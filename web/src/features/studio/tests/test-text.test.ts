import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countsText, liftText } from './test-text.ts';

test('the lift of a variant is told with its range', () => {
  assert.equal(liftText({ lift: null, liftLow: null, liftHigh: null }), null);
  assert.equal(
    liftText({ lift: 0.183, liftLow: -0.052, liftHigh: 0.41 }),
    '+18% clicks compared with A (between −5.2% and +41%)',
  );
  assert.equal(liftText({ lift: 2, liftLow: 0.1, liftHigh: null }), '+200% clicks compared with A (at least +10%)');
});

test('counts of a variant are told with their units', () => {
  assert.equal(countsText({ impressions: 1, clicks: 0, viewersClicked: 0 }), '1 impression · no clicks');
  assert.equal(
    countsText({ impressions: 1_204, clicks: 96, viewersClicked: 1 }),
    '1,204 impressions · 96 clicks by 1 viewer',
  );
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { firstSteps } from './first-steps.ts';
import { ageText, comparisonText } from './performance-text.ts';

test('the age of a video is in words', () => {
  assert.deepEqual([0, 1, 5, 24, 53, 168, 671].map(ageText), [
    'First hour',
    'First 1 hour',
    'First 5 hours',
    'First 1 day',
    'First 2 days 5 hours',
    'First 7 days',
    'First 27 days',
  ]);
});

test('a video is compared with what is usual', () => {
  const performance = { hours: 5, views: 120, usualViews: 60.5, rank: 1, comparedVideos: 4 };
  assert.equal(comparisonText(performance), 'More than usual: usually 61 views. 1 of 4 by views at this age.');
  assert.equal(
    comparisonText({ ...performance, views: 60, rank: 2 }),
    'As usual: usually 61 views. 2 of 4 by views at this age.',
  );
  assert.equal(
    comparisonText({ ...performance, views: 0, usualViews: 1, rank: 4 }),
    'Less than usual: usually 1 view. 4 of 4 by views at this age.',
  );
  assert.equal(comparisonText({ ...performance, usualViews: 0 }), 'Usually no views. 1 of 4 by views at this age.');
  assert.equal(comparisonText({ ...performance, usualViews: null }), null);
});

test('the first steps are done one by one', () => {
  const nothing = { contentCount: 0, publishedCount: 0, playlistCount: 0, hasAvatar: false, hasSummary: false };
  assert.deepEqual(
    firstSteps(nothing).map(({ isDone }) => isDone),
    [false, false, false, false],
  );
  assert.deepEqual(
    firstSteps({ ...nothing, contentCount: 2, hasAvatar: true }).map(({ isDone }) => isDone),
    [true, false, false, false],
  );
});

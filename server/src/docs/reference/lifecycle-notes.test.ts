import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isPreview, lifecycleNotes, withNotes } from './lifecycle-notes.ts';

test('pages say which versions have an element', () => {
  const noted = (lifecycle: object, rest: object = {}) => ({ description: 'A.', extensions: { lifecycle }, ...rest });
  assert.equal(withNotes({ description: 'A.', extensions: {} }), 'A.');
  assert.equal(lifecycleNotes(noted({ since: '2027-04' })), '**From version 2027-04** on.');
  assert.equal(
    withNotes(noted({ until: '2028-04' }, { deprecationReason: 'Use b.' })),
    'A. **Before version 2028-04** only. **Deprecated.** Use b.',
  );
  assert.equal(
    withNotes(noted({ preview: true })),
    'A. **Preview.** Only in the [preview](/docs/guides/versions#the-preview); it may change.',
  );
  assert.deepEqual([noted({ preview: true }), noted({ since: '2027-04' })].map(isPreview), [true, false]);
});

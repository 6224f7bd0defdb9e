import assert from 'node:assert/strict';
import { it } from 'node:test';
import { groupOf } from './object-groups.ts';

const A = '019338aa-0000-7000-8000-00000000000a';
const B = '019338aa-0000-7000-8000-00000000000b';

for (const [key, prefix, owner] of [
  [`uploads/${A}`, `uploads/${A}`, { area: 'uploads', id: A, contentId: null }],
  [`uploads/${A}.journal`, `uploads/${A}`, { area: 'uploads', id: A, contentId: null }],
  [`uploads/${A}.tail-4096`, `uploads/${A}.tail-4096`, { area: 'uploads', id: A, contentId: null }],
  [`sources/${A}`, `sources/${A}`, { area: 'sources', id: A, contentId: null }],
  [`images/${A}/640.webp`, `images/${A}/`, { area: 'images', id: A, contentId: null }],
  [`media/${A}/${B}/job-1/v1/seg.m4s`, `media/${A}/${B}/job-1/`, { area: 'media', id: B, contentId: A }],
  [`media/${A}/${B}/job-1/master.m3u8`, `media/${A}/${B}/job-1/`, { area: 'media', id: B, contentId: A }],
  ['uploads/x', 'uploads/x', null],
  [`uploads/${A}.bak`, `uploads/${A}.bak`, null],
  [`uploads/${A}/part`, `uploads/${A}/part`, null],
  [`sources/${A}.journal`, `sources/${A}.journal`, null],
  [`images/${A}`, `images/${A}`, null],
  [`images/${A}/a/b.webp`, `images/${A}/a/b.webp`, null],
  [`media/${A}/${B}/file`, `media/${A}/${B}/file`, null],
  [`media/${A}/notes/job-1/file`, `media/${A}/notes/job-1/file`, null],
] as const) {
  it(`${owner ? 'names the owner' : 'knows no owner'} of ${key}`, () => {
    assert.deepEqual(groupOf(key), { prefix, owner });
  });
}

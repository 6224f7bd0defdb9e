import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Ladder } from '../encode/ladder.ts';
import { planDownloads } from './downloads.ts';

const MIB = 1024 ** 2;
const file = (path: string, mebibytes: number) => ({ path, contentType: 'video/mp4', sizeBytes: mebibytes * MIB });
// Only the facts that the plan uses.
const ladder = { video: [{ folder: 'v720' }, { folder: 'v480' }], audio: { folder: 'audio' } } as unknown as Ladder;
const files = [
  file('v720/a.m4s', 100),
  file('v720/b.m4s', 100),
  file('v480/a.m4s', 80),
  file('audio/a.m4s', 20),
  file('poster.jpg', 1),
];
const UNLIMITED = Number.POSITIVE_INFINITY;

describe('downloads', () => {
  const cases: [name: string, given: Parameters<typeof planDownloads>, expected: { video: boolean; audio: boolean }][] =
    [
      [
        'of an ordinary video are created',
        [ladder, files, { maxBytes: UNLIMITED, slow: false }],
        { video: true, audio: true },
      ],
      [
        'of a silent video: no sound',
        [{ ...ladder, audio: null }, files, { maxBytes: UNLIMITED, slow: false }],
        { video: true, audio: false },
      ],
      [
        'of audio only: no video',
        [{ ...ladder, video: [] }, files, { maxBytes: UNLIMITED, slow: false }],
        { video: false, audio: true },
      ],
      ['just fit', [ladder, files, { maxBytes: 541 * MIB, slow: false }], { video: true, audio: true }],
      ['do not both fit', [ladder, files, { maxBytes: 541 * MIB - 1, slow: false }], { video: true, audio: false }],
      ['fit without the video', [ladder, files, { maxBytes: 321 * MIB, slow: false }], { video: false, audio: true }],
      ['do not fit', [ladder, files, { maxBytes: 320 * MIB, slow: false }], { video: false, audio: false }],
      [
        'of a small slow video are created',
        [ladder, files, { maxBytes: UNLIMITED, slow: true }],
        { video: true, audio: true },
      ],
      [
        'of a large slow video are not',
        [ladder, [file('v720/a.m4s', 230), file('audio/a.m4s', 27)], { maxBytes: UNLIMITED, slow: true }],
        { video: false, audio: true },
      ],
    ];
  for (const [name, given, expected] of cases) it(name, () => assert.deepEqual(planDownloads(...given), expected));
});

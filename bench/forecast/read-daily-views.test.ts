import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readDailyViews } from './read-daily-views.ts';

const dailyOf = (text: string) => readDailyViews(text).videos.map(({ name, daily }) => [name, daily]);

describe('reading daily views', () => {
  const EXPECTED = [
    ['a', [5, 6, 7]],
    ['b', [1, 0]],
  ];
  for (const [name, text] of Object.entries({
    plain: 'video,day,views\na,1,5\na,2,6\na,3,7\nb,1,1\nb,2,0\n',
    'columns and rows in any order': 'views,video,day\n7,a,3\n5,a,1\n6,a,2\n0,b,2\n1,b,1',
    'other names, a byte order mark, Windows line ends':
      '\u{FEFF}Video_ID,Day,View Count\r\na,1,5\r\na,2,6\r\na,3,7\r\nb,1,1\r\nb,2,0\r\n',
    'semicolons, quotation marks, spaces, other columns':
      '"video" ; "day" ; likes ; "views"\n"a";1;x;5\n"a";2;x;6\na;3;x; 7\n\n"b";1;x;1\nb;2;"x;y";0\n',
    'tabs, days from 0, numbers with a fraction of 0':
      'id\tday\tviews\na\t0\t5.0\na\t1\t6.0\na\t2\t7.0\nb\t0\t1\nb\t1\t0',
    dates: 'video,date,views\na,2026-02-27,5\na,2026-02-28,6\na,2026-03-01,7\nb,2025-12-31,1\nb,2026-01-01,0',
  })) {
    it(`understands ${name}`, () => assert.deepEqual(dailyOf(text), EXPECTED));
  }

  it('knows the weekday of dates', () => {
    const text = 'video,day,views\na,2026-11-23,1\nb,2026-11-29T00:00:00Z,1';
    assert.deepEqual(
      readDailyViews(text).videos.map(({ weekday }) => weekday),
      [0, 6],
    );
    assert.equal(readDailyViews('video,day,views\na,1,1').videos[0]?.weekday, null);
  });

  it('counts days without a row as 0 in a file without zeros', () => {
    const { videos, missing } = readDailyViews('video,day,views\na,1,8\na,4,2\nb,2,3');
    assert.equal(missing, 'ZERO');
    assert.deepEqual(
      videos.map(({ daily, missingDays }) => [daily, missingDays]),
      [
        [[8, 0, 0, 2], 2],
        [[0, 3], 1],
      ],
    );
  });

  it('interpolates days without a row in a file with zeros', () => {
    const { videos, missing } = readDailyViews('video,day,views\na,1,99\na,3,0\nb,2,7\nc,1,1');
    assert.equal(missing, 'NOT_MEASURED');
    // The root of (99 + 1) · (0 + 1), less 1; before the first row, as on that day.
    const [a, b] = videos;
    assert.deepEqual([a?.daily.map((views) => Math.round(views * 1e6) / 1e6), a?.missingDays], [[99, 9, 0], 1]);
    assert.deepEqual(b?.daily.map(Math.round), [7, 7]);
  });

  it('begins each video at its first day where most do not begin together', () => {
    assert.deepEqual(dailyOf('video,day,views\na,100,1\na,101,2\nb,340,3\nc,200,4'), [
      ['a', [1, 2]],
      ['b', [3]],
      ['c', [4]],
    ]);
  });

  for (const [text, message] of [
    ['', 'Line 1: there is no column "video". It has: .'],
    ['video,day,plays\na,1,2', 'Line 1: there is no column "views". It has: video, day, plays.'],
    ['video,day,views\n', 'Line 2: the file has no rows.'],
    ['video,day,views\na,1,2\na,2,3.5', 'Line 3: views are "3.5", not a whole number from 0.'],
    ['video,day,views\na,1,-2', 'Line 2: views are "-2", not a whole number from 0.'],
    ['video,day,views\n\na,1,many', 'Line 3: views are "many", not a whole number from 0.'],
    ['video,day,views\na,1', 'Line 2: views are "", not a whole number from 0.'],
    ['video,day,views\n,1,2', 'Line 2: the name of the video is empty.'],
    ['video,day,views\na,-1,2', 'Line 2: the day "-1" is neither a number from 0 nor a date like 2026-11-23.'],
    [
      'video,day,views\na,2026-02-30,2',
      'Line 2: the day "2026-02-30" is neither a number from 0 nor a date like 2026-11-23.',
    ],
    ['video,day,views\na,1,2\na,2026-02-27,2', 'Line 3: the file mixes dates and numbers of days.'],
    ['video,day,views\na,1,2\nb,1,2\na,1,3', 'Line 4: video "a" has this day in line 2 already.'],
    ['video,day,views\na,1,2\na,9999,2', 'Line 3: video "a" has more than 5000 days.'],
    ['video,day,views\n"a"b,1,2', 'Line 2: there is text after a closing quotation mark.'],
  ] as const) {
    it(`names the line of an error: ${message}`, () => assert.throws(() => readDailyViews(text), { message }));
  }
});

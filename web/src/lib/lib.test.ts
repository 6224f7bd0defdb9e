import assert from 'node:assert/strict';
import { test } from 'node:test';
import { byName } from './by-name.ts';
import { channelDid, channelPath, contentDid, contentTail } from './did.ts';
import { ago, byteSize, calendarDate, clockTime, spokenTime, timeLeft, titleFromFilename } from './format.ts';
import { formatLocaleOf } from './i18n.ts';
import { inBatches } from './in-batches.ts';
import { safeRedirectPath, sameOriginUrl } from './url.ts';

const ID = '0198c0de-0000-7000-8000-00000000abcd';
const NOW = Date.parse('2026-05-10T12:00:00Z');

const namesInOrder = (...names: string[]) =>
  byName(names.map((name) => ({ node: { name } })))
    .map(({ name }) => name)
    .join(', ');

const CASES: readonly (readonly [string, unknown, unknown])[] = [
  ['a clock shows seconds under a minute', clockTime(7.9), '0:07'],
  ['a clock shows hours only when there are some', clockTime(3723), '1:02:03'],
  ['a clock shows zero for an unknown duration', clockTime(Number.NaN), '0:00'],
  ['a spoken time leaves out what is zero', spokenTime(3603), '1 hour 3 seconds'],
  ['time left of seconds', timeLeft(43), 'about 40 seconds left'],
  ['time left of minutes', timeLeft(170), 'about 3 minutes left'],
  ['time left of one minute', timeLeft(58), 'about 1 minute left'],
  ['time left of hours', timeLeft(7300), 'about 2 hours left'],
  ['time left of a moment', timeLeft(3), 'a few seconds left'],
  ['a spoken time of zero', spokenTime(0), '0 seconds'],
  ['a size under a kilobyte is exact', byteSize(999), '999 B'],
  ['a size moves to the next unit before it reads 1000', byteSize(999_600), '1.0 MB'],
  ['a size of three digits drops the fraction', byteSize(123_456_789), '123 MB'],
  ['an instant of this minute is just now', ago('2026-05-10T11:59:30Z', NOW), 'just now'],
  ['a time of yesterday', ago('2026-05-09T11:00:00Z', NOW), 'yesterday'],
  ['a future time', ago('2026-05-10T14:30:00Z', NOW), 'in 2 hours'],
  ['a date is written out', calendarDate('2026-11-20T10:00:00Z'), '20 November 2026'],
  [
    'a title is the name without its extension',
    titleFromFilename('my_holiday-2026.final.mp4'),
    'my holiday 2026 final',
  ],
  ['a feature is its id', contentTail(`did:reelgraph:content/feature/${ID}`), ID],
  ['another kind is named', contentTail(`did:reelgraph:content/short/${ID}`), `short/${ID}`],
  ['a bare id is a feature', contentDid(ID, 'acme'), `did:acme:content/feature/${ID}`],
  ['a kind and an id are that kind', contentDid(`short/${ID}`, 'acme'), `did:acme:content/short/${ID}`],
  ['a whole DID is accepted', contentDid(`did:acme:content/feature/${ID}`, 'acme'), `did:acme:content/feature/${ID}`],
  ['anything else is not a content', contentDid('../../etc', 'acme'), null],
  ['too many parts are not a content', contentDid(`a/b/${ID}`, 'acme'), null],
  ['a channel path is the id', channelPath(`did:acme:channel/${ID}`), ID],
  ['a channel id becomes its DID', channelDid(ID, 'acme'), `did:acme:channel/${ID}`],
  ['a handle is not a channel id', channelDid('someone', 'acme'), null],
  ['names are in order regardless of case and accents', namesInOrder('Film', 'Élan', 'art'), 'art, Élan, Film'],
  [
    'media URLs use the origin of the page',
    sameOriginUrl('http://localhost:4000/media/a/b/master.m3u8?x=1', 'http://10.0.0.2:4000'),
    'http://10.0.0.2:4000/media/a/b/master.m3u8?x=1',
  ],
  [
    'other URLs are unchanged',
    sameOriginUrl('https://cdn.example/a.jpg', 'http://10.0.0.2:4000'),
    'https://cdn.example/a.jpg',
  ],
  ['dates of a language have the region of the browser', formatLocaleOf('en', ['fr-CA', 'en-US', 'en']), 'en-US'],
  ['also with an alphabet and more', formatLocaleOf('de', ['de-Latn-AT-u-hc-h12']), 'de-AT'],
  ['not that of another language', formatLocaleOf('es', ['en-US', 'es']), 'es'],
  ['English without a region is British', formatLocaleOf('en', ['en', 'de-AT']), 'en-GB'],
  ['numbers in Arabic have the digits of other texts', formatLocaleOf('ar', ['ar-EG']), 'ar-EG-u-nu-latn'],
  ['a path is a safe redirect', safeRedirectPath('/settings/developer?x=1'), '/settings/developer?x=1'],
  ['another site is not', safeRedirectPath('//evil.example'), '/studio'],
  ['nor is one behind a backslash', safeRedirectPath('/\\evil.example'), '/studio'],
  ['nor is the page for signing in', safeRedirectPath('/sign-in?next=/sign-in'), '/studio'],
  ['nor is the one for signing up', safeRedirectPath('/sign-up'), '/studio'],
  ['nor is a script', safeRedirectPath('javascript:alert(1)'), '/studio'],
];

for (const [name, actual, expected] of CASES) test(name, () => assert.equal(actual, expected));

test('ids are sent in batches of a hundred, in order, and the first failure stops', async () => {
  const ids = Array.from({ length: 230 }, (_, index) => `${index}`);
  const sizes: number[] = [];
  const answered = await inBatches(ids, async (some) => {
    sizes.push(some.length);
    return some;
  });
  assert.deepEqual([answered, sizes], [ids, [100, 100, 30]]);
  assert.deepEqual(await inBatches([], async () => assert.fail('nothing is sent')), []);
  await assert.rejects(
    inBatches(ids, async (some) => (some[0] === '100' ? assert.fail('refused') : some)),
    { message: 'refused' },
  );
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { AppError } from '../../../kernel/errors.ts';
import { newId } from '../../../kernel/ids.ts';
import { PLAN_CODES, PLANS } from '../../../kernel/plans.ts';
import { secretsFrom } from '../../../platform/config/secret-key.ts';
import { readUploadAddress, uploadEndpoint } from './upload-address.ts';
import {
  MAX_IMAGE_BYTES,
  readFilename,
  readFiletype,
  readUploadSize,
  sanitizeFilename,
  uploadLimit,
} from './upload-input.ts';

const refused = (code: string) => (error: unknown) =>
  error instanceof AppError && error.code === code && error.field === 'input.x';

describe('file names', () => {
  for (const name of ['a.mp4', 'ünïcödé 🎬.mov', '.hidden', "it's [here] & there.mp4", 'x'.repeat(255)]) {
    it(`may be ${name.slice(0, 30)}`, () => assert.equal(readFilename(name, 'input.x'), name.normalize('NFC')));
  }
  for (const name of ['a/b.mp4', 'C:\\films\\a.mp4', '..', '.', 'a\nb', 'a\u0000b', '\ud83d.mp4', 'x'.repeat(256)]) {
    it(`may not be ${JSON.stringify(name.slice(0, 30))}`, () =>
      assert.throws(() => readFilename(name, 'input.x'), refused('INVALID_INPUT')));
  }
  for (const name of ['', '   ', '\u200b']) {
    it(`may not be blank: ${JSON.stringify(name)}`, () =>
      assert.throws(() => readFilename(name, 'input.x'), refused('FIELD_REQUIRED')));
  }
});

describe('file names of stock clients', () => {
  const cases: [sent: string, kept: string | null][] = [
    ['holiday.mp4', 'holiday.mp4'],
    ['C:\\films\\a.mp4', 'a.mp4'],
    ['a/b/', null],
    ['..', null],
    ['', null],
    ['\u200b', null],
    ['a\u0000\n.mp4 ', 'a.mp4'],
    ['\u202ea.mp4', 'a.mp4'],
    ['\ud83d.mp4', '\ufffd.mp4'],
    [`${'x'.repeat(300)}.webm`, `${'x'.repeat(250)}.webm`],
    [`${'🎬'.repeat(300)}`, '🎬'.repeat(255)],
    [`${'x'.repeat(250)}🇩🇪.mp4`, `${'x'.repeat(250)}.mp4`],
    [`e${'\u0301'.repeat(300)}`, `é${'\u0301'.repeat(254)}`],
  ];
  for (const [sent, kept] of cases)
    it(`${JSON.stringify(sent.slice(0, 30))} is kept as ${JSON.stringify(kept?.slice(0, 30) ?? null)}`, () =>
      assert.equal(sanitizeFilename(sent), kept));
});

describe('the size of an upload', () => {
  const video = { kind: 'VIDEO', hint: 'LANDSCAPE_VIDEO' } as const;
  for (const plan of PLAN_CODES) {
    it(`is limited by the plan ${plan}`, () => {
      const limit = PLANS[plan].maxUploadBytes;
      assert.equal(readUploadSize(limit, uploadLimit(video, PLANS[plan]), 'input.x'), limit);
      assert.throws(
        () => readUploadSize(limit + 1, uploadLimit(video, PLANS[plan]), 'input.x'),
        refused('INVALID_INPUT'),
      );
    });
  }
  it('of an image has the same limit on every plan', () => {
    const image = { kind: 'IMAGE', hint: 'AVATAR' } as const;
    assert.equal(readUploadSize(MAX_IMAGE_BYTES, uploadLimit(image, PLANS.FREE), 'input.x'), MAX_IMAGE_BYTES);
    assert.throws(
      () => readUploadSize(MAX_IMAGE_BYTES + 1, uploadLimit(image, PLANS.CREATOR_PLUS), 'input.x'),
      refused('INVALID_INPUT'),
    );
  });
  for (const size of [0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53]) {
    it(`may not be ${size}`, () =>
      assert.throws(
        () => readUploadSize(size, uploadLimit(video, PLANS.CREATOR_PLUS), 'input.x'),
        refused('INVALID_INPUT'),
      ));
  }
});

it('an invalid declared media type is replaced', () => {
  assert.equal(readFiletype('Video/MP4'), 'video/mp4');
  for (const odd of [undefined, '', 'video', 'a/b\r\nX: y', 'x'.repeat(200)])
    assert.equal(readFiletype(odd), 'application/octet-stream');
});

describe('an upload address', () => {
  const secrets = secretsFrom(Buffer.alloc(32, 1));
  const id = newId<'ingestion'>();
  const part = uploadEndpoint('', secrets, id).slice('/uploads/'.length);

  it('is authorized by its token, and otherwise requires the owner', () => {
    assert.deepEqual(readUploadAddress(secrets, part), { id, authorised: 'by token' });
    assert.deepEqual(readUploadAddress(secrets, id), { id, authorised: 'by owner only' });
  });

  it('is invalid with a token that is changed, shortened, of another upload or of another key', () => {
    const other = uploadEndpoint('', secrets, newId<'ingestion'>()).slice(-43);
    const wrong = [
      `${part}x`,
      part.slice(0, -1),
      `${id}-`,
      `${id}-${other}`,
      `${id}x${part.slice(37)}`,
      '',
      'x',
      part.toUpperCase(),
    ];
    for (const text of wrong) assert.equal(readUploadAddress(secrets, text), null, text);
    assert.equal(readUploadAddress(secretsFrom(Buffer.alloc(32, 2)), part), null);
  });
});

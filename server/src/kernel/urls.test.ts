import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { AppError } from './errors.ts';
import { readRtmpUrl, readUrl } from './urls.ts';

describe('URLs', () => {
  for (const [given, href] of [
    ['https://example.com', 'https://example.com/'],
    [' HTTP://EXAMPLE.com:80/a b?q#f ', 'http://example.com/a%20b?q#f'],
  ] as const) {
    it(`reads ${given}`, () => assert.equal(readUrl(given, 'input.url').href, href));
  }
  const longest = `https://example.com/${'a'.repeat(2_048 - 20)}`;
  it('reads 2,048 characters', () => assert.equal(readUrl(longest, 'input.url').href, longest));
  for (const given of [
    `${longest}a`,
    `https://example.com/${'ü'.repeat(1_000)}`,
    'example.com',
    '',
    'javascript:alert(1)',
    'ftp://example.com/',
    'https://user@example.com/',
    'https://:secret@example.com/',
  ]) {
    it(`refuses ${given.slice(0, 40)}`, () => {
      assert.throws(
        () => readUrl(given, 'input.url'),
        (error) => error instanceof AppError && error.code === 'INVALID_INPUT' && error.field === 'input.url',
      );
    });
  }
});

describe('URLs of RTMP', () => {
  for (const [given, href] of [
    ['rtmp://a.rtmp.example.com/live2', 'rtmp://a.rtmp.example.com/live2'],
    [' RTMPS://Live.EXAMPLE.com:443/rtmp/#x', 'rtmps://live.example.com:443/rtmp'],
    ['rtmp://b.example.com/live2?backup=1', 'rtmp://b.example.com/live2?backup=1'],
    ['rtmp://bücher.example/app', 'rtmp://xn--bcher-kva.example/app'],
    ['rtmp://0x7f.1/app', 'rtmp://127.0.0.1/app'],
    ['rtmp://[0:0::1]:1935/app', 'rtmp://[::1]:1935/app'],
    ['rtmp://example.com', 'rtmp://example.com'],
  ] as const) {
    it(`reads ${given}`, () => assert.equal(readRtmpUrl(given, 'input.url').href, href));
  }
  for (const given of [
    'https://example.com/live',
    'rtmpt://example.com/live',
    'rtmp:live',
    'rtmp:///live',
    'rtmp://a b/live',
    'rtmp://%00/live',
    'rtmp://user:secret@example.com/live',
    `rtmp://example.com/${'a'.repeat(2_048)}`,
    'example.com/live',
  ]) {
    it(`refuses ${given.slice(0, 40)}`, () => {
      assert.throws(
        () => readRtmpUrl(given, 'input.url'),
        (error) => error instanceof AppError && error.code === 'INVALID_INPUT' && error.field === 'input.url',
      );
    });
  }
});

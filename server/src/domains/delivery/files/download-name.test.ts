import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { downloadName } from './download-name.ts';

describe('file name of a download', () => {
  const cases: [title: string, name: string][] = [
    ['Der Berg ruft', 'Der Berg ruft.mp4'],
    ['日本の山 🗻', '日本の山 🗻.mp4'],
    ['../../etc/passwd', 'etc passwd.mp4'],
    ['a\\b:c*d?e"f<g>h|i', 'a b c d e f g h i.mp4'],
    ['line\r\nSet-Cookie: x', 'line Set-Cookie x.mp4'],
    ['invoice\u202e4pm.exe', 'invoice 4pm.exe.mp4'],
    ['  dots and spaces. . ', 'dots and spaces.mp4'],
    ['.hidden', 'hidden.mp4'],
    ['???', 'video.mp4'],
    ['CON', 'video.mp4'],
    ['com1.x', 'video.mp4'],
    ['Concert', 'Concert.mp4'],
    ['x'.repeat(200), `${'x'.repeat(60)}.mp4`],
    ['🗻'.repeat(200), `${'🗻'.repeat(60)}.mp4`],
  ];
  for (const [title, name] of cases)
    it(`is ${JSON.stringify(name.slice(0, 30))} for ${JSON.stringify(title.slice(0, 30))}`, () =>
      assert.equal(downloadName(title, 'video.mp4'), name));
  it('keeps the file extension', () =>
    assert.deepEqual([downloadName('Song', 'audio.m4a'), downloadName('', 'audio.m4a')], ['Song.m4a', 'audio.m4a']));
});

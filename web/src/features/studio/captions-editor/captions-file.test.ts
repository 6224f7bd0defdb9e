import assert from 'node:assert/strict';
import { test } from 'node:test';
import { errorLine, languageFromFilename, lineRange, readCaptionsFile } from './captions-file.ts';

const TAGS = ['de', 'en', 'en-GB', 'pt', 'pt-BR'];

test('the language of a captions file is read from its name', () => {
  const named = (name: string): string | null => languageFromFilename(name, TAGS);
  assert.deepEqual(['video.de.srt', 'video_pt-br.VTT', 'video.pt_BR.srt', 'A video - en.vtt'].map(named), [
    'de',
    'pt-BR',
    'pt-BR',
    'en',
  ]);
  assert.equal(named('video.en-US.srt'), 'en', 'the language where the region is not to be chosen');
  assert.deepEqual(['video.srt', 'de.srt', 'my.cat.srt', 'video.xx.vtt'].map(named), [null, null, null, null]);
});

test('the line of an error is found in the text', () => {
  assert.equal(errorLine('Line 12: Here a cue must begin.'), 12);
  assert.equal(errorLine('The label is too long. Line 3: no.'), null);
  const text = 'one\ntwo\n\nfour';
  assert.deepEqual(
    [1, 2, 3, 4].map((line) => text.slice(...lineRange(text, line))),
    ['one', 'two', '', 'four'],
  );
  assert.deepEqual(lineRange(text, 9), [text.length, text.length]);
});

test('invalid captions files are rejected with a fix', async () => {
  const read = (name: string, content: BlobPart): Promise<string> => readCaptionsFile(new File([content], name));
  assert.equal(await read('a.SRT', '\uFEFFzwölf'), 'zwölf');
  await assert.rejects(read('a.txt', 'x'), {
    message: 'a.txt is not a captions file.',
    suggestedFix: 'Select a file that ends in .srt or .vtt.',
  });
  await assert.rejects(read('a.vtt', 'x'.repeat(512 * 1024 + 1)), { code: 'INVALID_INPUT', suggestedFix: /512 KiB/ });
  await assert.rejects(read('a.vtt', new Uint8Array([0x7a, 0x77, 0xf6])), { suggestedFix: /UTF-8/ });
});

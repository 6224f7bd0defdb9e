import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setCaptions } from './set-captions.ts';
import { type SpokenText, widthOf } from './spoken-text.ts';
import type { Cue } from './web-vtt.ts';

/** Words of equal length in time, one after the other. */
function words(text: string, fromMs: number, eachMs: number): SpokenText[] {
  return text.split(' ').map((word, index) => ({
    text: ` ${word}`,
    startMs: fromMs + index * eachMs,
    endMs: fromMs + (index + 1) * eachMs,
  }));
}

const at = (text: string, startMs: number, endMs: number): SpokenText => ({ text, startMs, endMs });
const printed = (cues: readonly Cue[]) => cues.map(({ startMs, endMs, text }) => `${startMs}-${endMs} ${text}`);

const SPEECH =
  'We choose to go to the moon in this decade and do the other things, not because they are easy, but because they ' +
  'are hard, because that goal will serve to organize and measure the best of our energies and skills.';

const CASES: readonly [name: string, spoken: readonly SpokenText[], durationMs: number, expected: readonly string[]][] =
  [
    [
      'a speech, at its phrases',
      words(SPEECH, 500, 330),
      30_000,
      [
        '500-5450 We choose to go to the moon in this decade\nand do the other things,',
        '5450-8750 not because they are easy,\nbut because they are hard,',
        '8750-12380 because that goal will serve to organize\nand measure the best',
        '12380-14030 of our energies and skills.',
      ],
    ],
    ['no words', [], 5_000, []],
    ['only spaces', [at('  ', 0, 1_000)], 5_000, []],
    [
      'cues of one word, for a second each, the last one earlier',
      [at(' Yes.', 1_000, 1_200), at(' No.', 6_000, 6_200), at(' End.', 9_800, 10_000)],
      10_000,
      ['1000-2000 Yes.', '6000-7000 No.', '9000-10000 End.'],
    ],
    [
      'short sentences together',
      [at(' Yes.', 1_000, 1_200), at(' I', 1_250, 1_300), at(' do.', 1_300, 1_500)],
      10_000,
      ['1000-2000 Yes. I do.'],
    ],
    [
      'reading time from the pause after them',
      words('Astonishingly quick announcements', 1_000, 300),
      10_000,
      ['1000-2941 Astonishingly quick announcements'],
    ],
    [
      'speech without pauses that is faster than reading, as fast as it is',
      words('this is somebody who talks so very quickly that nobody could ever read it all', 0, 150),
      2_250,
      ['0-2250 this is somebody who talks so very quickly\nthat nobody could ever read it all'],
    ],
    [
      'a long pause between words of a sentence',
      [at(' Wait', 1_000, 1_500), at(' here', 6_000, 6_500)],
      10_000,
      ['1000-2000 Wait', '6000-7000 here'],
    ],
    ['a word that is said to last for 20 s', [at(' Well', 0, 20_000)], 30_000, ['0-7000 Well']],
    [
      'times that overlap and go back, in their order',
      [at(' one', 5_000, 4_000), at(' two', 3_000, 9_000), at(' three', 3_000, 3_000)],
      8_000,
      ['5000-6000 one two three'],
    ],
    ['nothing behind the end', [at(' Thanks', 1_000, 2_000), at(' Bye', 9_000, 9_500)], 5_000, ['1000-2000 Thanks']],
    [
      'segments without words, divided by their characters',
      [at(' This is a segment whose words have no times, so they get them by their length.', 0, 8_000)],
      20_000,
      ['0-4557 This is a segment whose\nwords have no times,', '4557-8000 so they get them by their length.'],
    ],
    [
      'Japanese, without spaces',
      [at('今日はとても良い天気ですね。明日は雨が降るかもしれませんから、傘を持って行ってください。', 0, 9_000)],
      12_000,
      [
        '0-2864 今日はとても良い天気ですね。',
        '2864-9000 明日は雨が降るかもしれませんから、\n傘を持って行ってください。',
      ],
    ],
    [
      'Chinese words',
      [at('你好', 0, 500), at('，', 500, 500), at('世界', 600, 1_100), at('。', 1_100, 1_100)],
      5_000,
      ['0-1100 你好，世界。'],
    ],
    [
      'Arabic',
      [at(' مرحبا بكم في هذا الفيديو، سنتحدث اليوم عن تاريخ المدينة القديمة وعن أهم المعالم فيها.', 0, 8_000)],
      12_000,
      ['0-2419 مرحبا بكم في هذا الفيديو،', '2419-8000 سنتحدث اليوم عن تاريخ المدينة\nالقديمة وعن أهم المعالم فيها.'],
    ],
    [
      'a word that is wider than a line, in parts',
      [at(` ${'a'.repeat(50)}`, 0, 5_000)],
      8_000,
      [`0-5000 ${'a'.repeat(42)}\n${'a'.repeat(8)}`],
    ],
  ];

describe('captions of speech', () => {
  for (const [name, spoken, durationMs, expected] of CASES)
    it(`set ${name}`, () => assert.deepEqual(printed(setCaptions(spoken, durationMs)), expected));

  it('keep every word and all limits, whatever the times', () => {
    let seed = 7;
    const random = () => {
      seed = (seed * 16_807) % 2_147_483_647;
      return seed / 2_147_483_647;
    };
    const vocabulary = ['a', 'the', 'and', 'extraordinary', 'cat,', 'dog.', 'word', 'because', 'it', 'Yes!'];
    let now = 0;
    const spoken = Array.from({ length: 2_000 }, () => {
      const startMs = now + (random() < 0.1 ? 1_500 * random() : 0);
      now = startMs + 120 + 400 * random();
      return at(` ${vocabulary[Math.floor(random() * vocabulary.length)]}`, startMs, now);
    });
    const cues = setCaptions(spoken, now + 1_000);
    const heard = spoken.map(({ text }) => text.trim()).join(' ');
    assert.equal(cues.map(({ text }) => text.replace('\n', ' ')).join(' '), heard);
    for (const [index, { startMs, endMs, text }] of cues.entries()) {
      const lines = text.split('\n');
      assert.ok(lines.length <= 2 && lines.every((line) => widthOf(line) <= 42), text);
      assert.ok(endMs - startMs <= 7_000 && endMs > startMs, `${startMs}-${endMs}`);
      assert.ok(startMs >= (cues[index - 1]?.endMs ?? 0), `${startMs} overlaps`);
    }
    const short = cues.filter(({ startMs, endMs }) => endMs - startMs < 1_000).length;
    assert.ok(short / cues.length < 0.02, `${short} of ${cues.length} cues are shorter than a second`);
  });
});

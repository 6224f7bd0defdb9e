/**
 * Stands in for `whisper-cli` of whisper.cpp: takes its options and writes its JSON. Its model is a text file with what
 * it does: `say WORDS`, `hang`, `loop`, `flood`, `nonsense`, `nothing` or `crash`.
 */
import { closeSync, existsSync, openSync, readFileSync, writeFileSync, writeSync } from 'node:fs';

const args = process.argv.slice(2);
const option = (name) => args[args.indexOf(name) + 1] ?? '';
const [does = '', ...words] = readFileSync(option('--model'), 'utf8').trim().split(' ');
const wav = readFileSync(option('--file'));
if (wav.toString('latin1', 0, 4) !== 'RIFF' || !args.includes('--output-json-full')) process.exit(2);
process.stderr.write('whisper_print_progress_callback: progress =  50%\n');
const path = `${option('--output-file')}.json`;
if (existsSync(path)) process.exit(3);

const times = (from, to) => ({
  timestamps: { from: `00:00:00,${from}`, to: `00:00:00,${to}` },
  offsets: { from, to },
});
const transcription = [
  {
    ...times(0, 300 * words.length),
    text: ` ${words.join(' ')}`,
    tokens: [
      { text: '[_BEG_]', ...times(0, 0), id: 50_364, p: 0.9, t_dtw: -1 },
      ...words.map((word, index) => ({ text: ` ${word}`, ...times(300 * index, 300 * index + 300), id: 1, p: 0.9 })),
    ],
  },
];
const language = option('--language') === 'auto' ? 'en' : option('--language');
const actions = {
  say: () => writeFileSync(path, JSON.stringify({ result: { language }, transcription })),
  hang: () => setInterval(() => {}, 1_000),
  loop: () => {
    for (;;);
  },
  flood: () => {
    const file = openSync(path, 'w');
    for (let written = 0; written < 1024; written += 1) writeSync(file, Buffer.alloc(1024 ** 2));
    closeSync(file);
  },
  nonsense: () => writeFileSync(path, 'whisper_init_from_file_with_params_no_state: failed'),
  nothing: () => process.stderr.write("error: unknown language 'xx'\n"),
  crash: () => process.exit(10),
};
actions[does]?.();

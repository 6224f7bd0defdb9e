import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { createProgramRunner, RunError } from '@reelgraph/sandbox';
import { checkSpeechModel, recognizeSpeech } from './recognize-speech.ts';
import { SpeechError } from './speech-error.ts';
import { isSpeechEngineInstalled, speechFiles } from './speech-files.ts';
import { modelHeader, noModel, TEST_MODEL } from './test-model.fixture.ts';

/** Stands in for the addon of whisper.cpp: its test model says nothing. */
const STAND_IN = fileURLToPath(new URL('./engine.fixture.cjs', import.meta.url));
const runner = await createProgramRunner();
const skip = isSpeechEngineInstalled() ? false : 'whisper.cpp is not installed: npm install --include=optional';

describe('a model', { skip }, () => {
  let folder = '';
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'speech-'));
  });
  after(() => rm(folder, { recursive: true }));

  const refused: [name: string, bytes: Buffer, reason: RegExp][] = [
    ['of nothing', Buffer.alloc(0), /not a model of whisper\.cpp/],
    ['of another format', Buffer.from('GGUF and more'), /not a model of whisper\.cpp/],
    ['for English alone', modelHeader(51_864), /knows English alone/],
    ['that is incomplete', modelHeader(51_865), /whisper\.cpp does not load it/],
  ];
  for (const [name, bytes, reason] of refused)
    it(`${name} is refused`, async () => {
      const path = join(folder, 'model.bin');
      await writeFile(path, bytes);
      await assert.rejects(
        checkSpeechModel(runner, path),
        (error) => error instanceof SpeechError && error.reason === 'refused' && reason.test(error.detail),
      );
    });

  it('that whisper.cpp loads is accepted', { skip: noModel }, () => checkSpeechModel(runner, TEST_MODEL));

  it('is not to blame where the check is aborted', { skip: noModel }, async () => {
    await assert.rejects(
      checkSpeechModel(runner, TEST_MODEL, AbortSignal.abort()),
      (error) => error instanceof RunError && error.reason === 'aborted',
    );
  });

  it('hears nothing in noise, without a run of the model', { skip: noModel }, async () => {
    const workDir = join(folder, 'noise');
    await runner.prepareWorkDir(workDir);
    let state = 1;
    const noise = Int16Array.from({ length: 16_000 * 10 }, () => {
      state = (state * 48_271) % 2_147_483_647;
      return (state % 2_000) - 1_000;
    });
    const parts: number[] = [];
    const limits = { cpuSeconds: 60, memoryBytes: 8 * 1024 ** 3, outputBytes: 1024 ** 2, wallMs: 120_000 };
    const { json, cpuMs } = await recognizeSpeech(runner, Buffer.from(noise.buffer), {
      ...{ model: TEST_MODEL, language: 'de', workDir, limits, onProgress: (part: number) => parts.push(part) },
    });
    assert.deepEqual(JSON.parse(json.toString()), { result: { language: 'de' }, transcription: [] });
    assert.deepEqual(parts, []);
    assert.ok(cpuMs > 0);
  });
});

describe('what the engine says', { skip }, () => {
  it('is segments of tokens with whole characters, in the time of the sound', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'speech-'));
    const workDir = join(folder, 'run');
    await runner.prepareWorkDir(workDir);
    const installed = speechFiles();
    const readOnly = [...installed.readOnly, STAND_IN];
    const limits = { cpuSeconds: 60, memoryBytes: 8 * 1024 ** 3, outputBytes: 1024 ** 2, wallMs: 120_000 };
    const { json } = await recognizeSpeech(runner, Buffer.alloc(32 * 1_000), {
      ...{ model: STAND_IN, language: null, workDir, limits, threads: 3 },
      files: { engine: STAND_IN, voiceActivity: null, readOnly },
    });
    await rm(folder, { recursive: true });
    const token = (text: string, from: number, to: number) => ({ text, offsets: { from, to } });
    assert.deepEqual(JSON.parse(json.toString()), {
      result: { language: 'ja' },
      transcription: [
        { ...token(' [MUSIC]', 0, 100), tokens: [token(' [', 0, 50), token('MUSIC]', 50, 100)] },
        { ...token('日本', 100, 1_000), tokens: [token('日', 100, 500), token('本', 500, 1_000)] },
      ],
    });
  });
});

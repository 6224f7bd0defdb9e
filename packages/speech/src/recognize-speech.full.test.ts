import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import { createProgramRunner, RunError } from '@reelgraph/sandbox';
import { recognizeSpeech, type SpeechOptions } from './recognize-speech.ts';
import { isSpeechEngineInstalled } from './speech-files.ts';
import { noModel, TEST_MODEL, TEST_VOICE } from './test-model.fixture.ts';

const skip = isSpeechEngineInstalled() ? noModel : 'whisper.cpp is not installed: npm install --include=optional';
const decoded = ['-v', 'error', '-i', TEST_VOICE, '-ar', '16000', '-ac', '1', '-f', 's16le', '-'];

/** Has the model without weights listen to a voice, which takes half a minute. */
async function recognize(options: Pick<SpeechOptions, 'language'> & Partial<SpeechOptions>) {
  const runner = await createProgramRunner();
  const workDir = await mkdtemp(join(tmpdir(), 'speech-'));
  try {
    await runner.prepareWorkDir(join(workDir, 'run'));
    const limits = { cpuSeconds: 1_200, memoryBytes: 8 * 1024 ** 3, outputBytes: 1024 ** 2, wallMs: 1_200_000 };
    return await recognizeSpeech(runner, execFileSync('ffmpeg', decoded), {
      ...{ model: TEST_MODEL, workDir: join(workDir, 'run'), limits, threads: 2, ...options },
    });
  } finally {
    await rm(workDir, { recursive: true });
  }
}

it('a voice is given to the model, with progress', { skip }, async () => {
  const parts: number[] = [];
  const { json, cpuMs } = await recognize({ language: 'en', onProgress: (part) => parts.push(part) });
  assert.deepEqual(JSON.parse(json.toString()), { result: { language: 'en' }, transcription: [] });
  assert.deepEqual(parts, [1]);
  assert.ok(cpuMs > 1_000);
});

it('recognition ends at its limit of CPU time', { skip }, async () => {
  const limits = { cpuSeconds: 3, memoryBytes: 8 * 1024 ** 3, outputBytes: 1024 ** 2, wallMs: 120_000 };
  await assert.rejects(
    recognize({ language: 'en', limits }),
    (error) => error instanceof RunError && error.reason === 'cpu-limit',
  );
});

import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { chmod, copyFile, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, beforeEach, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { isSpeechEngineInstalled } from '../../../media/index.ts';
import { createLogger } from '../../../platform/log.ts';
import { speechModelFolder } from '../recognizers/speech-models.ts';
import { type Captioning, openCaptioning } from './open-captioning.ts';
import { H264, SOUND, SpeechFixture, type SpeechVideo } from './speech.fixture.ts';

const TEST_MODEL = fileURLToPath(new URL('../../../../../../shared/speech/for-tests-ggml-tiny.bin', import.meta.url));
const skip = isSpeechEngineInstalled() ? false : 'whisper.cpp is not installed: npm install --include=optional';
const noModel = existsSync(TEST_MODEL) ? false : '../shared/speech is not present';

describe('captions by the whisper.cpp of the platform', { skip }, () => {
  let speech: SpeechFixture;
  let video: SpeechVideo;
  let captioning: Captioning;
  let model = '';
  const logged: string[] = [];
  before(async () => {
    speech = await SpeechFixture.open();
    video = await speech.ready(await speech.clip('speech.mp4', ...SOUND, ...H264));
    const { platform, runner } = speech.processing;
    const log = createLogger({ level: 'error', destination: { write: (text: string) => void logged.push(text) } });
    captioning = openCaptioning(platform.config, runner, log);
    model = join(speechModelFolder(platform.config.DATA_DIR), 'ggml-example.bin');
  });
  after(async () => {
    await captioning.close();
    await speech.close();
  });
  beforeEach(async () => {
    logged.length = 0;
    await speech.reset();
    await rm(join(model, '..'), { recursive: true, force: true });
    await mkdir(join(model, '..'), { recursive: true });
    await chmod(join(model, '../..'), 0o755);
    await chmod(join(model, '..'), 0o755);
  });

  it('need no restart once a model is installed, and find no speech in tones', { skip: noModel }, async () => {
    assert.equal(captioning.recognizer(), null);
    await copyFile(TEST_MODEL, model);
    await chmod(model, 0o644);
    const jobId = await speech.start(video);
    await speech.run(jobId, captioning.recognizer());
    assert.equal(await speech.stateOf(jobId), 'COMPLETE No speech was found, so there are no captions.');
    const [{ name } = { name: '' }] = await speech.rows<{ name: string }>(
      `select receipt ->> 'model' as name from caption_jobs where job_id = $1`,
      [jobId],
    );
    assert.equal(name, 'ggml-example');
    assert.deepEqual(await speech.captionsOf(video), []);
  });

  it('fail where the engine does not load the model', async () => {
    await writeFile(model, 'no model', { mode: 0o644 });
    const jobId = await speech.start(video);
    await speech.run(jobId, captioning.recognizer());
    assert.equal(await speech.stateOf(jobId), 'ERROR TRANSCODE_FAILED');
    assert.match((await speech.errorOf(jobId)) ?? '', /failed.*Ask the operator/);
    assert.match(logged.join(), /whisper\.cpp failed: install the model again/);
  });

  it('are tried again where the model is replaced meanwhile', async () => {
    await writeFile(model, 'no model', { mode: 0o644 });
    const recognizer = captioning.recognizer();
    await rm(model);
    const jobId = await speech.start(video);
    await assert.rejects(speech.run(jobId, recognizer), { code: 'SERVICE_UNAVAILABLE' });
    assert.equal(await speech.stateOf(jobId), 'QUEUED');
  });

  it('are not made without a model', async () => {
    const jobId = await speech.start(video);
    await speech.run(jobId, captioning.recognizer());
    assert.equal(await speech.stateOf(jobId), 'ERROR INVALID_INPUT');
    assert.match((await speech.errorOf(jobId)) ?? '', /npm run admin -- install-speech-model small/);
  });
});

import { randomBytes } from 'node:crypto';
import { readVerboseJson, recognizerCode, TranscriptError } from '../../../media/index.ts';
import { type ServiceEndpoint, unusable } from './service-endpoint.ts';
import type { SpeechRecognizer } from './speech-recognizer.ts';

/** Services on CPUs take longer than the audio lasts. */
const LEAST_TIMEOUT_MS = 120_000;
const TIMEOUT_FACTOR = 6;

/**
 * The transcription endpoint of OpenAI, or of a service with the same API. Asks for the times of words and of segments;
 * services that have only the latter ignore the former.
 */
export function openAiRecognizer(service: Pick<ServiceEndpoint, 'post'>, model: string): SpeechRecognizer {
  return {
    model,
    async recognize({ wav, durationMs }, { language, signal }) {
      const code = language && (recognizerCode(language) ?? language.split('-')[0]);
      const { body, contentType } = formData(wav, [
        ['model', model],
        ['response_format', 'verbose_json'],
        ['timestamp_granularities[]', 'word'],
        ['timestamp_granularities[]', 'segment'],
        ...(code ? [['language', code] as const] : []),
      ]);
      const timeoutMs = LEAST_TIMEOUT_MS + TIMEOUT_FACTOR * durationMs;
      const answer = await service.post({ path: '/audio/transcriptions', contentType, body, timeoutMs, signal });
      try {
        return { ...readVerboseJson(answer), cpuMs: 0 };
      } catch (error) {
        throw error instanceof TranscriptError ? unusable('speech', error) : error;
      }
    },
  };
}

/** A form with a WAV file (RFC 7578). */
function formData(wav: Buffer, fields: readonly (readonly [string, string])[]): { body: Buffer; contentType: string } {
  const boundary = `reelgraph-${randomBytes(16).toString('hex')}`;
  const parts = fields.map(
    ([name, value]) => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  const file =
    `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="speech.wav"\r\n` +
    'Content-Type: audio/wav\r\n\r\n';
  const body = Buffer.concat([Buffer.from(parts.join('') + file), wav, Buffer.from(`\r\n--${boundary}--\r\n`)]);
  return { body, contentType: `multipart/form-data; boundary=${boundary}` };
}

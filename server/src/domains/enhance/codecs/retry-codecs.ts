import type { Consumer } from '../../../platform/events/events.ts';
import { cancelFailedJobs } from './codec-jobs.store.ts';

/**
 * Consumes channel.updated: when a channel asks for a codec, videos that could not be encoded in it count as not tried,
 * so the next sweep has them encoded.
 */
export function retryCodecs(): Consumer {
  return {
    name: 'assets.retry-codecs',
    types: ['channel.updated'],
    async handle(tx, { subjectId, payload: { codecs } }) {
      if (Array.isArray(codecs)) await cancelFailedJobs(tx, subjectId, codecs.map(String));
    },
  };
}

import type { EntityRef, Graph } from '../../../gql/index.ts';
import { playableVideo } from '../../assets/index.ts';
import { mayInChannel } from '../../channels/index.ts';
import { waveformPairs, waveformStatus } from './waveform.sql.ts';

/** A waveform has up to 400 kB. */
const COST = [{ points: 20 }];

/** Declares Waveform, and the waveform of contents for members who edit them. */
export function declareWaveform(graph: Graph, Content: EntityRef): EntityRef {
  const WaveformStatus = graph.builder.enumType('WaveformStatus', {
    description: 'State of a waveform.',
    values: {
      QUEUED: { description: 'It is being made.' },
      READY: { description: 'It is there.' },
      FAILED: { description: 'It could not be made; createContentWaveform tries again.' },
    } as const,
  });
  const Waveform = graph.entity('Waveform', {
    description: "The waveform of the sound of a content's newest video, for editors of captions.",
    table: 'waveforms',
    fields: (f) => ({
      status: f.column({
        type: WaveformStatus,
        description: 'State of the waveform.',
        sql: (s) => waveformStatus(s.t),
      }),
      millisecondsPerPair: f.column({
        type: 'Int',
        nullable: true,
        description: 'Milliseconds of a pair: 50, more for videos of more than 166 minutes; null until it is there.',
        sql: (s) => `${s.t}.milliseconds_per_pair`,
      }),
      pairs: f.column({
        type: 'String',
        nullable: true,
        description:
          'Bytes in Base64: for each interval, the lowest and the highest sample as signed bytes from -127 to 127; ' +
          'null until it is there.',
        cost: COST,
        sql: (s) => waveformPairs(s.t),
      }),
    }),
  });
  graph.extend(Content, (f) => ({
    waveform: f.one({
      type: Waveform,
      nullable: true,
      description:
        'The waveform of its sound; null until createContentWaveform was called, and for others than the members who ' +
        'edit it.',
      on: (child, s) =>
        `${child}.id = ${playableVideo(`${s.t}.id`)} and ${mayInChannel(s, `${s.t}.channel_id`, 'asset:upload')}`,
    }),
  }));
  return Waveform;
}

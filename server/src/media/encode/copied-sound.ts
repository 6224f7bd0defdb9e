import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { audioNames, finishedPlaylist } from '@reelgraph/manifests';
import { type ByteSource, type SampleIndex, type SoundSource, soundFile } from '@reelgraph/mp4';
import type { AudioFacts, MediaFacts } from '../inspect/media-facts.ts';
import { parseProbe, pinnedInput, probeArgs } from '../inspect/probe.ts';
import { type AudioRung, planAudio } from '../ladder/audio-rungs.ts';
import type { AudioRendition } from '../renditions/rendition.ts';
import type { Runner } from '../runner.ts';
import { stagesOf } from '../stages/stages.ts';
import { cutEncodedPackets } from './cut-encoded.ts';
import { INIT_NAME, PackageError, segmentName } from './encoded.ts';
import { audioOutput, encodedName } from './encoder-args.ts';
import { AAC_CODECS, AAC_PACKET, type PacketRange } from './on-demand.ts';
import { mixFilters } from './video-filters.ts';

/** Sound that is encoded on request, and what it becomes. Stored as JSON. */
export interface CopiedSound {
  readonly source: Omit<SoundSource, 'entry'> & { readonly entry: string };
  /** As it is decoded. */
  readonly audio: AudioFacts;
  /** Samples per second of what is encoded. */
  readonly rate: number;
}

/** Rates of AAC that all browsers play, each a whole multiple of the source's, or a whole part. */
const RATES = [48_000, 44_100, 32_000] as const;
/** Packets that are encoded before those of a segment: by then the encoder spends bits as it does within the track. */
const LEAD_PACKETS = 40;
/** And after them: the encoder looks ahead to choose the windows of its transform. */
const TAIL_PACKETS = 3;
/**
 * In terms of the sound of a package. An encoder that begins again distributes bits in another way than in the middle
 * of a track; with more of them, no segment is worse than the track there.
 */
const MORE_BITS = 2;
const LIMITS = { cpuSeconds: 20, memoryBytes: 1024 ** 3, outputBytes: 64 * 1024 ** 2, wallMs: 20_000 };

interface Work {
  /** Of the file that the samples lie in. */
  readonly file: Pick<ByteSource, 'read'>;
  /** The samples of the segment, from the index. */
  readonly samples: SampleIndex;
  /** Empty or missing. */
  readonly workDir: string;
  readonly signal: AbortSignal;
}

/**
 * Finds how sound is encoded, from its first segment; null where it cannot be decoded, or be encoded at a rate that is
 * in step with its own.
 */
export async function readCopiedSound(runner: Runner, source: SoundSource, work: Work): Promise<CopiedSound | null> {
  const path = await writeSource(runner, source, work);
  const { signal } = work;
  const run = { inputs: [path], limits: LIMITS, signal, interactive: true };
  const { stdout } = await runner.run('ffprobe', probeArgs('mov'), run);
  const { audio } = parseProbe(stdout, 'mov');
  const rate = RATES.find((each) => each % (audio?.sampleRate ?? 0) === 0 || (audio?.sampleRate ?? 0) % each === 0);
  if (!audio || audio.sampleRate < 8_000 || !rate) return null;
  return { source: { ...source, entry: Buffer.from(source.entry).toString('base64') }, audio, rate };
}

/** What a segment of encoded sound consists of. */
export interface EncodedSound {
  readonly init: Buffer;
  readonly bytes: Buffer;
}

/**
 * Encodes a segment of sound, whose `number` counts from 0. Its packets are those of the whole track: each begins at
 * the same sample, and is encoded after those before it, which are dropped.
 * @throws RunError where it cannot be decoded.
 */
export async function encodeCopiedSound(
  runner: Runner,
  sound: CopiedSound,
  number: number,
  work: Work,
): Promise<EncodedSound> {
  const source = { ...sound.source, entry: Buffer.from(sound.source.entry, 'base64') };
  const path = await writeSource(runner, source, work);
  const { workDir: cwd, signal } = work;
  const run = { cwd, inputs: [path], limits: LIMITS, signal, interactive: true };
  await runner.run('ffmpeg', soundArgs(sound, number, work.samples), run);
  const { folder } = rungOf(sound);
  let bytes: Buffer | null = null;
  const range = soundPackets(sound, number);
  const part = await cutEncodedPackets(join(cwd, encodedName(folder)), { folder, packets: range }, async (segment) => {
    bytes = segment;
  });
  if (!bytes) throw new PackageError('No sound was encoded.');
  return { init: Buffer.from(part.init, 'base64'), bytes };
}

async function writeSource(runner: Runner, source: SoundSource, { workDir, samples, file }: Work): Promise<string> {
  await runner.prepareWorkDir(workDir);
  const path = `${workDir}.mov`;
  await writeFile(path, await soundFile({ ...source, entry: Buffer.from(source.entry) }, samples, file), {
    mode: 0o600,
  });
  return path;
}

/** The packets that begin within a segment, as they are numbered in the whole track; the first one is priming. Pure. */
export function soundPackets({ source, rate }: CopiedSound, number: number): PacketRange {
  const packetAt = (seconds: number) => 1 + Math.ceil((seconds * rate) / AAC_PACKET - 1e-9);
  const first = number === 0 ? 0 : packetAt(source.starts[number] ?? 0);
  const end = packetAt(source.starts[number + 1] ?? source.endSeconds);
  return { first, end, lead: Math.max(0, first - LEAD_PACKETS) };
}

/** Arguments that encode the packets of a segment from a file with these samples. Pure. */
export function soundArgs(sound: CopiedSound, number: number, { decodeTimes }: SampleIndex): string[] {
  const { source, rate } = sound;
  const rung = rungOf(sound);
  const { lead, end } = soundPackets(sound, number);
  const samplesAt = (ticks: number) => Math.round((ticks * rate) / source.timescale);
  // Of the first sample of the file in the track as it is played.
  const begins = samplesAt(decodeTimes[0] ?? 0) - samplesAt(source.startTime);
  const start = lead * AAC_PACKET - begins;
  const stop = start + (end - lead + TAIL_PACKETS) * AAC_PACKET;
  // Where the sound begins late.
  const delay = Math.max(0, -start);
  const filters = [
    `aresample=${rate}:async=1:first_pts=0`,
    ...(delay > 0 ? [`adelay=delays=${delay}S:all=1`] : []),
    ...mixFilters(rung, stagesOf({ ...NO_PICTURE, audio: sound.audio })),
    ...['apad', `atrim=start_sample=${start + delay}:end_sample=${stop + delay}`, 'asetpts=N/SR/TB'],
  ];
  return [...pinnedInput('mov'), '-filter_complex', `[0:a]${filters.join(',')}[a]`, ...audioOutput(rung)];
}

const NO_PICTURE: MediaFacts = {
  ...{ demuxer: 'mov', durationMs: null, randomAccess: true, startMs: 0, video: null, audio: null, otherAudio: [] },
  ...{ cover: null, chapters: [], subtitles: [], undecodable: { video: [], audio: [] } },
};

function rungOf({ audio }: Pick<CopiedSound, 'audio'>): AudioRung {
  const rung = planAudio({ audio }).audio;
  if (!rung) throw new Error('There is no sound.');
  return { ...rung, bitrateBps: MORE_BITS * rung.bitrateBps };
}

/** The rendition of sound that is encoded on request, and its playlist. Pure. */
export function describeCopiedSound(sound: CopiedSound): { playlist: string; rendition: AudioRendition } {
  const { source, rate } = sound;
  const { folder, channels, bitrateBps } = rungOf(sound);
  const [named] = audioNames([{ title: null, language: source.language }]);
  const { name, language } = named ?? { name: 'Main', language: null };
  // The first packet is priming, which is not played.
  const samplesBefore = (packet: number) => Math.max(0, packet - 1) * AAC_PACKET;
  const durations = source.starts.map((_, number) => {
    const { first, end } = soundPackets(sound, number);
    return samplesBefore(end) - samplesBefore(first);
  });
  const listed = durations.map((ticks, number) => ({ uri: segmentName(number), durationSeconds: ticks / rate }));
  return {
    playlist: finishedPlaylist(6, INIT_NAME, listed),
    rendition: {
      ...{ kind: 'AUDIO', origin: 'ON_DEMAND', folder, track: 0, name, language, channels, sampleRate: rate },
      ...{
        isDefault: true,
        codecs: AAC_CODECS,
        peakBps: bitrateBps,
        averageBps: bitrateBps,
        timescale: rate,
        durations,
      },
    },
  };
}

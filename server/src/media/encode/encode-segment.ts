import { join } from 'node:path';
import { toNumber } from '../inspect/fraction.ts';
import { planLadder } from '../ladder/ladder.ts';
import type { Runner } from '../runner.ts';
import { cutEncodedPackets, cutEncodedVideo } from './cut-encoded.ts';
import type { EncodeChunkOptions } from './encode-chunk.ts';
import { explainEncodeError } from './encode-errors.ts';
import { defaultLimits } from './encode-limits.ts';
import { type EncodePlan, ticksOf } from './encode-plan.ts';
import { type EncodedChunk, PackageError, segmentName } from './encoded.ts';
import { encodedName, segmentArgs } from './encoder-args.ts';
import { type OnDemand, packetsOf, segmentChunk } from './on-demand.ts';

type Options = Pick<EncodeChunkOptions, 'inputPath' | 'workDir' | 'write' | 'signal'>;

/**
 * Encodes one segment, picture and sound, of what is played while the video is encoded.
 * @throws AppError as `encodeChunk`.
 */
export async function encodeSegment(
  runner: Runner,
  plan: EncodePlan,
  demand: OnDemand,
  number: number,
  { inputPath, workDir, write, signal }: Options,
): Promise<EncodedChunk> {
  const { video, audio } = demand;
  const chunk = segmentChunk(plan, demand, number);
  const frames = chunk.endFrame - chunk.startFrame;
  const milliseconds = (1000 * frames) / toNumber(plan.timeline.baseRate);
  try {
    await runner.prepareWorkDir(workDir);
    const { cpuMs } = await runner.run('ffmpeg', segmentArgs(plan, demand, number), {
      cwd: workDir,
      inputs: [inputPath],
      limits: defaultLimits(plan.facts, { ...planLadder(plan.facts), video: [video] }, milliseconds),
      ...(signal ? { signal } : {}),
    });
    const place = {
      ...{
        folder: video.folder,
        codec: 'H264' as const,
        ticks: ticksOf(video),
        startFrame: chunk.startFrame * video.framesPerBase,
      },
      ...{ frames: frames * video.framesPerBase, keyframes: [0], hasMoreKeyframes: true },
      ...(plan.timeline.timed ? { timed: { end: frames }, frames: null } : {}),
    };
    const name = segmentName(number);
    const picture = await cutEncodedVideo(join(workDir, encodedName(video.folder)), place, {
      init: async () => {}, // in the result
      segment: (_, bytes) => write(`${video.folder}/${name}`, bytes),
    });
    if (!picture) throw new PackageError(`Segment ${number} has no pictures.`);
    const sound =
      audio &&
      (await cutEncodedPackets(
        join(workDir, encodedName(audio.folder)),
        { folder: audio.folder, packets: packetsOf(plan, demand, number) },
        (bytes) => write(`${audio.folder}/${name}`, bytes),
      ));
    return { firstSegment: number, parts: sound ? [picture, sound] : [picture], cpuMs };
  } catch (error) {
    throw explainEncodeError(error);
  }
}

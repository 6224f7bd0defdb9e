import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Browser } from 'playwright-core';
import { createTarget, type Owner, untilLive } from './broadcasts.ts';
import { PLAYERS, type PlayerName, type Playing } from './players.ts';
import type { Sender } from './programs.ts';
import { SENDERS, type SenderName } from './senders.ts';

const run = promisify(execFile);

/** Where senders publish, and players watch. */
export interface PairsStage {
  readonly owner: Owner;
  readonly browser: Browser;
  /** Address of a site with `playersPage`. */
  readonly site: string;
  /** Of `makeFlashClip`. */
  readonly clip: string;
  /** For what senders write. */
  readonly folder: string;
}

/** What a player showed of a sender. */
export interface Watched {
  /** From opening the stream to its first picture. */
  readonly startMs: number;
  /** White pictures, and beeps with them, of which there is one a second. */
  readonly flashes: number;
  readonly beeps: number;
  /** How late beeps were after their white pictures, in the middle, beyond what the sender made them late itself. */
  readonly soundLateMs: number;
  /** Times for which there was no other picture for half a second. */
  readonly stalls: number;
  /** How long the last picture had been shown in the end. */
  readonly lastGapMs: number;
}

/** Has a sender publish, and players watch it for so many seconds, one after the other. */
export async function watchSender(
  stage: PairsStage,
  sender: SenderName,
  players: readonly PlayerName[],
  seconds: number,
): Promise<Readonly<Partial<Record<PlayerName, Watched>>>> {
  const target = await createTarget(stage.owner, { name: sender, srt: sender === 'ffmpeg SRT' });
  const publishing: Sender = await SENDERS[sender](target, stage);
  const watched: Partial<Record<PlayerName, Watched>> = {};
  try {
    const stream = await untilLive(stage.owner, target, publishing.output);
    for (const player of players) watched[player] = await watch(await PLAYERS[player](stream, stage), seconds);
  } finally {
    await publishing.stop();
  }
  const { recording, soundLateMs = 0 } = publishing;
  const ownMs = recording ? middleOf((await soundLateIn(recording)).slice(-seconds)) : soundLateMs;
  return Object.fromEntries(
    Object.entries(watched).map(([player, each]) => [player, { ...each, soundLateMs: each.soundLateMs - ownMs }]),
  );
}

async function watch({ page, startMs }: Playing, seconds: number): Promise<Watched> {
  type Probed = { flashes: number[]; beeps: number[]; stalls: number; lastGapMs: number };
  const { flashes, beeps, stalls, lastGapMs }: Probed = await page.evaluate(`probe.watch(${seconds})`);
  await page.context().close();
  const late = soundLateMs(flashes, beeps);
  return {
    ...{ startMs, stalls, lastGapMs },
    flashes: flashes.length,
    beeps: late.length,
    soundLateMs: middleOf(late),
  };
}

/** How late each beep of a file, or of a recording at its address, is after its white picture, in milliseconds. */
export async function soundLateIn(path: string): Promise<readonly number[]> {
  return soundLateMs(await flashesIn(path), await beepsIn(path));
}

/** Of beeps that have a white picture within half a second; both in seconds. */
function soundLateMs(flashes: readonly number[], beeps: readonly number[]): number[] {
  return beeps.flatMap((beep) => {
    const late = flashes.map((flash) => 1_000 * (beep - flash)).sort((one, other) => Math.abs(one) - Math.abs(other));
    return late[0] !== undefined && Math.abs(late[0]) < 500 ? [late[0]] : [];
  });
}

/** The value in the middle; NaN of none. */
function middleOf(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN;
}

/** When pictures become white, in seconds. */
async function flashesIn(path: string): Promise<number[]> {
  const print = 'signalstats,metadata=print:key=lavfi.signalstats.YAVG:file=-';
  const { stdout } = await run('ffmpeg', ['-v', 'error', '-copyts', '-i', path, '-vf', print, '-f', 'null', '-']);
  const frames = [...stdout.matchAll(/pts_time:(\S+)\s+lavfi\.signalstats\.YAVG=(\S+)/g)];
  const isWhite = frames.map(([, , luma]) => Number(luma) > 128);
  return frames.flatMap(([, time], index) => (isWhite[index] && !isWhite[index - 1] ? [Number(time)] : []));
}

/** When beeps begin, in seconds. */
async function beepsIn(path: string): Promise<number[]> {
  const detect = 'silencedetect=n=-30dB:d=0.3';
  const { stderr } = await run('ffmpeg', ['-copyts', '-i', path, '-af', detect, '-f', 'null', '-']);
  return [...stderr.matchAll(/silence_end: (\S+)/g)].map(([, time]) => Number(time));
}

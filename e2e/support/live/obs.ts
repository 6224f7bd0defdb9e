import { type ChildProcess, spawn } from 'node:child_process';
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from '../../../server/src/platform/config/free-port.ts';
import { endProcess, type Sender, startProgram } from './programs.ts';

/** Of the collection, the profile and its scene. */
const NAME = 'Test';
/** `EventSubscription::Outputs` of obs-websocket. */
const EVENTS_OF_OUTPUTS = 64;

/** No questions at the first start. A program of this machine may end the stream. */
const globalOf = (port: number): string => `[General]
FirstRun=true
EnableAutoUpdates=false
InfoIncrement=99
LastVersion=486539266
[Basic]
Profile=${NAME}
ProfileDir=${NAME}
SceneCollection=${NAME}
SceneCollectionFile=${NAME}
[OBSWebSocket]
FirstLoad=false
ServerEnabled=true
ServerPort=${port}
AlertsEnabled=false
AuthRequired=false
`;

/** The keyframe interval is the one that OBS Studio chooses: 250 pictures. What it sends is also recorded. */
const profileOf = (recordings: string): string => `[General]
Name=${NAME}
[Output]
Mode=Simple
FilenameFormatting=sent
[SimpleOutput]
VBitrate=800
ABitrate=96
StreamEncoder=x264
Preset=ultrafast
RecQuality=Stream
RecFormat=mkv
FilePath=${recordings}
[Video]
BaseCX=320
BaseCY=180
OutputCX=320
OutputCY=180
FPSType=0
FPSCommon=30
`;

/** One scene, which shows a clip again and again. */
function collectionOf(clip: string): object {
  const items = [{ name: 'Clip', id: 1, visible: true, align: 5, pos: { x: 0, y: 0 }, scale: { x: 1, y: 1 } }];
  const settings = { is_local_file: true, local_file: clip, looping: true, hw_decode: false };
  return {
    ...{ name: NAME, current_scene: 'Scene', current_program_scene: 'Scene', scene_order: [{ name: 'Scene' }] },
    sources: [
      { id: 'ffmpeg_source', versioned_id: 'ffmpeg_source', name: 'Clip', settings, enabled: true, mixers: 1 },
      { id: 'scene', versioned_id: 'scene', name: 'Scene', settings: { items, id_counter: 1 }, enabled: true },
    ],
  };
}

interface Scene {
  /** What it shows, in 320x180 at 30 pictures a second. */
  readonly clip: string;
  /** For what it writes. */
  readonly folder: string;
}

/**
 * OBS Studio as people have it, which connects again by itself, on a screen without a monitor. Its sound is up to 60 ms
 * from its pictures, where it has no graphics card.
 */
export async function startObs(server: string, key: string, { clip, folder }: Scene): Promise<Sender> {
  const home = await mkdtemp(join(folder, 'obs-'));
  const config = join(home, 'config');
  const folders = {
    profile: join(config, `obs-studio/basic/profiles/${NAME}`),
    scenes: join(config, 'obs-studio/basic/scenes'),
    runtime: join(home, 'run'),
  };
  for (const folder of Object.values(folders)) await mkdir(folder, { recursive: true, mode: 0o700 });
  const port = await freePort();
  const service = { type: 'rtmp_custom', settings: { server, key, use_auth: false } };
  await writeFile(join(config, 'obs-studio/global.ini'), globalOf(port));
  await writeFile(join(folders.profile, 'basic.ini'), profileOf(home));
  await writeFile(join(folders.profile, 'service.json'), JSON.stringify(service));
  await writeFile(join(folders.scenes, `${NAME}.json`), JSON.stringify(collectionOf(clip)));
  const screen = await openScreen();
  const names = ['--collection', NAME, '--profile', NAME];
  const flags = ['--multi', '--disable-updater', '--disable-shutdown-check', '--minimize-to-tray', ...names];
  const obs = startProgram('obs', [...flags, '--startstreaming', '--startrecording'], {
    ...{ ...process.env, HOME: home, XDG_CONFIG_HOME: config, XDG_RUNTIME_DIR: folders.runtime },
    ...{ DISPLAY: screen.display, LIBGL_ALWAYS_SOFTWARE: '1', QT_QPA_PLATFORM: 'xcb' },
  });
  let isStopped = false;
  return {
    output: obs.output,
    recording: join(home, 'sent.mkv'),
    async stop() {
      if (isStopped) return;
      isStopped = true;
      try {
        await stopStream(port);
      } finally {
        await obs.kill();
        await endProcess(screen.process, 'SIGTERM');
      }
    },
  };
}

/** An X server with a display that is free. */
async function openScreen(): Promise<{ readonly display: string; readonly process: ChildProcess }> {
  const args = ['-displayfd', '3', '-screen', '0', '1280x720x24', '-nolisten', 'tcp'];
  const screen = spawn('Xvfb', args, { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] });
  const display = await new Promise<string>((resolve, reject) => {
    screen.once('error', reject);
    screen.once('exit', (code) => reject(new Error(`Xvfb ended with ${code}`)));
    screen.stdio[3]?.once('data', (number: Buffer) => resolve(`:${number.toString().trim()}`));
  });
  return { display, process: screen };
}

/** Has OBS Studio say that the broadcast is over (obs-websocket 5: Hello, Identify, Identified, Request, Event). */
async function stopStream(port: number): Promise<void> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}`);
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  socket.addEventListener('error', () => reject(new Error('OBS Studio takes no requests.')));
  socket.addEventListener('message', ({ data }) => {
    const { op, d } = JSON.parse(String(data));
    if (op === 0) socket.send(JSON.stringify({ op: 1, d: { rpcVersion: 1, eventSubscriptions: EVENTS_OF_OUTPUTS } }));
    if (op === 2) socket.send(JSON.stringify({ op: 6, d: { requestType: 'StopStream', requestId: 'stop' } }));
    if (op === 7 && !d.requestStatus.result) resolve(); // nothing is sent
    const isOver = d.eventType === 'StreamStateChanged' && d.eventData.outputState === 'OBS_WEBSOCKET_OUTPUT_STOPPED';
    if (op === 5 && isOver) resolve();
  });
  await promise;
  socket.close();
}

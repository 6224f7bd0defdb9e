/** Contents of the demo channel: videos that ffmpeg generates, so that nothing is downloaded. */
export interface DemoClip {
  readonly filename: string;
  readonly title: string;
  readonly summary: string;
  /** lavfi sources of video and audio. */
  readonly video: string;
  readonly sound: string;
  readonly seconds: number;
}

export const DEMO_CLIPS: readonly DemoClip[] = [
  {
    filename: 'mandelbrot.mp4',
    title: 'Into the Mandelbrot set',
    summary: 'A dive towards the edge of the set, drawn by ffmpeg frame by frame.',
    video: 'mandelbrot=size=854x480:rate=24:start_scale=2:end_scale=0.05:end_pts=192',
    sound:
      "aevalsrc='0.08*sin(2*PI*110*t)+0.06*sin(2*PI*165*t)*sin(PI*t/5)|0.08*sin(2*PI*110*t)+0.06*sin(2*PI*220*t)*cos(PI*t/5)':s=48000",
    seconds: 8,
  },
  {
    filename: 'colours.mp4',
    title: 'Slow colours',
    summary: 'Gradients that drift into each other, with a chord that follows them.',
    video:
      'gradients=size=1280x720:rate=30:c0=#1b1f4b:c1=#6a2c91:c2=#d1495b:c3=#f79256:c4=#00798c:nb_colors=5:x0=0:y0=0:x1=1280:y1=720:speed=0.015',
    sound: "aevalsrc='0.06*(sin(2*PI*196*t)+sin(2*PI*247*t)*sin(PI*t/6)+sin(2*PI*294*t)*cos(PI*t/6))':s=48000",
    seconds: 12,
  },
  {
    filename: 'life.mp4',
    title: 'The game of life',
    summary: 'Cells that live, die and leave a fading trail: Conway’s rules on a wide field.',
    video:
      'life=size=320x180:rate=24:mold=12:ratio=0.28:death_color=#0b3d5c:life_color=#ffd166:mold_color=#0b1a2b,scale=1280:720:flags=neighbor',
    sound: "aevalsrc='0.05*sin(2*PI*(220+110*floor(mod(t*2\\,4)))*t)*exp(-3*mod(t*2\\,1))':s=48000",
    seconds: 10,
  },
];

/** ffmpeg arguments that generate a clip into `output`. */
export function demoClipArguments(clip: DemoClip, output: string): string[] {
  const inputs = ['-f', 'lavfi', '-i', clip.video, '-f', 'lavfi', '-i', clip.sound];
  const video = ['-c:v', 'libx264', '-preset', 'veryfast', '-crf', '21', '-pix_fmt', 'yuv420p'];
  const audio = ['-c:a', 'aac', '-b:a', '128k', '-ac', '2'];
  return [
    '-hide_banner',
    '-nostdin',
    '-y',
    ...inputs,
    '-t',
    String(clip.seconds),
    ...video,
    ...audio,
    '-movflags',
    '+faststart',
    output,
  ];
}

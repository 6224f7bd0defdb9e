/** `npm run bench:NAME` for each of these: prints its results as ratios against a reference in the same run. */
const BENCHES: Record<string, () => Promise<{ run(args: string[]): Promise<void> }>> = {
  agents: () => import('./agents.ts'),
  checksums: () => import('./checksums.ts'),
  compression: () => import('./compression.ts'),
  cost: () => import('./cost.ts'),
  queue: () => import('./queue.ts'),
  delivery: () => import('./delivery.ts'),
  export: () => import('./export.ts'),
  forecast: () => import('./forecast.ts'),
  graphql: () => import('./graphql.ts'),
  engagement: () => import('./engagement.ts'),
  keyframes: () => import('./keyframes.ts'),
  playable: () => import('./playable.ts'),
  likes: () => import('./likes.ts'),
  live: () => import('./live.ts'),
  images: () => import('./images.ts'),
  scale: () => import('./scale.ts'),
  transcode: () => import('./transcode.ts'),
  rtmp: () => import('./rtmp.ts'),
  sandbox: () => import('./sandbox.ts'),
  upmix: () => import('./upmix.ts'),
  upscale: () => import('./upscale.ts'),
  web: () => import('./web.ts'),
};

const [name = '', ...args] = process.argv.slice(2);
const load = BENCHES[name];
if (!load) {
  console.error(`Which benchmark? One of ${Object.keys(BENCHES).join(', ')}.`);
  process.exit(2);
}
await (await load()).run(args);
process.exit();

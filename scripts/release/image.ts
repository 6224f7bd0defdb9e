import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, globSync, mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { DEBIAN_ARCHITECTURES } from './debian-package.ts';
import type { Architecture } from './staging.ts';

const ROOT = join(import.meta.dirname, '../..');
const CONTAINERFILE = join(ROOT, 'deploy/Containerfile');
/** What upscaling needs besides the platform, in node_modules. */
const UPSCALING = 'onnxruntime-*';
/** Programs that build images, in the order in which they are asked for. */
const BUILDERS = ['docker', 'buildah', 'podman'] as const;

export interface ImageOptions {
  readonly architecture: Architecture;
  readonly version: string;
  /** The commit. */
  readonly revision: string;
  /** ISO 8601. */
  readonly created: string;
  /** Debian 12, such as debian:bookworm-slim; by default from its registry. */
  readonly base?: string;
}

/** Moves a staged program (staging.ts) into the folder `context`, as deploy/Containerfile reads it. */
export function writeImageContext(program: string, context: string): void {
  const upscaling = join(context, 'upscaling/node_modules');
  mkdirSync(upscaling, { recursive: true });
  renameSync(program, join(context, 'program'));
  const modules = join(context, 'program/node_modules');
  for (const name of globSync(UPSCALING, { cwd: modules })) renameSync(join(modules, name), join(upscaling, name));
  cpSync(join(ROOT, 'deploy/image/collect-programs.sh'), join(context, 'collect-programs.sh'));
}

/** Builds the image `reelgraph:<version>` from such a context. Throws where no builder is installed. */
export function buildImage(context: string, options: ImageOptions): string {
  const program = findBuilder();
  const name = `reelgraph:${options.version}`;
  const { version: VERSION, revision: REVISION, created: CREATED } = options;
  const values = { VERSION, REVISION, CREATED, ...(options.base ? { BASE: options.base } : {}) };
  execFileSync(
    program,
    [
      ...['build', '--platform', `linux/${DEBIAN_ARCHITECTURES[options.architecture]}`],
      // The format of Docker: that of OCI has no health check.
      ...(program === 'docker' ? [] : ['--format', 'docker']),
      ...Object.entries(values).flatMap(([key, value]) => ['--build-arg', `${key}=${value}`]),
      ...['-t', name, '-f', CONTAINERFILE, context],
    ],
    { stdio: ['ignore', 2, 2] },
  );
  return name;
}

/** One that works: the client of Docker may be there without its engine. */
function findBuilder(): string {
  const found = BUILDERS.find((name) => spawnSync(name, ['info'], { stdio: 'ignore' }).status === 0);
  if (found === undefined)
    throw new Error(`None of ${BUILDERS.join(', ')} works here: install buildah, or omit --image.`);
  return found;
}

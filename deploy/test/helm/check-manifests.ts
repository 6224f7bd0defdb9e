import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Deployment, StatefulSet } from 'kubernetes-models/apps/v1';
import { HorizontalPodAutoscaler } from 'kubernetes-models/autoscaling/v2';
import { Ingress, NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1';
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1';
import { PersistentVolumeClaim, Service, ServiceAccount } from 'kubernetes-models/v1';
import type { Manifest } from './render-chart.ts';

const ROOT = join(import.meta.dirname, '../../..');
const CACHE = join(ROOT, 'node_modules/.cache/reelgraph');

/** The kinds that the chart makes, with the modules of their types. */
const KINDS = {
  'apps/v1 Deployment': { model: Deployment, module: 'apps/v1' },
  'apps/v1 StatefulSet': { model: StatefulSet, module: 'apps/v1' },
  'autoscaling/v2 HorizontalPodAutoscaler': { model: HorizontalPodAutoscaler, module: 'autoscaling/v2' },
  'networking.k8s.io/v1 Ingress': { model: Ingress, module: 'networking.k8s.io/v1' },
  'networking.k8s.io/v1 NetworkPolicy': { model: NetworkPolicy, module: 'networking.k8s.io/v1' },
  'policy/v1 PodDisruptionBudget': { model: PodDisruptionBudget, module: 'policy/v1' },
  'v1 PersistentVolumeClaim': { model: PersistentVolumeClaim, module: 'v1' },
  'v1 Service': { model: Service, module: 'v1' },
  'v1 ServiceAccount': { model: ServiceAccount, module: 'v1' },
} as const;

function kindOf({ apiVersion, kind }: Manifest) {
  const name = `${apiVersion} ${kind}`;
  if (!Object.hasOwn(KINDS, name)) throw new Error(`no schema of ${name}`);
  return KINDS[name as keyof typeof KINDS];
}

/** Throws where a manifest does not follow the JSON schema of its kind. */
export function validate(manifest: Manifest): void {
  const { model: Model } = kindOf(manifest);
  // The schema says whether it has the shape of the model.
  new Model(manifest as never).validate();
}

/**
 * What the compiler says of the manifests as values of the types of Kubernetes, which also finds fields that do not
 * exist; empty if they are right.
 */
export function typeErrors(manifests: readonly Manifest[]): string {
  mkdirSync(CACHE, { recursive: true });
  const folder = mkdtempSync(join(CACHE, 'manifests-'));
  try {
    const lines = manifests.map((manifest, n) => {
      const type = `import('kubernetes-models/${kindOf(manifest).module}').I${manifest.kind}`;
      return `export const manifest${n}: ${type} = ${JSON.stringify(manifest, null, 2)};`;
    });
    writeFileSync(join(folder, 'manifests.ts'), `${lines.join('\n')}\n`);
    const compiler = join(ROOT, 'node_modules/typescript-native/bin/tsc');
    const flags = [
      '--ignoreConfig',
      '--noEmit',
      '--strict',
      '--skipLibCheck',
      '--module',
      'nodenext',
      '--target',
      'es2024',
    ];
    const args = [compiler, ...flags, '--types', '', join(folder, 'manifests.ts')];
    return spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' }).stdout;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

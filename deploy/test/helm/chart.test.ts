import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { Ajv } from 'ajv';
import { parse } from 'yaml';
import { DEPLOY } from '../proxies/examples.ts';
import { findWrongSettings } from '../settings.ts';
import { typeErrors, validate } from './check-manifests.ts';
import { chartFile, type Manifest, renderChart, renderFile, type Values, valuesWith } from './render-chart.ts';

const MANY: Values = parse(readFileSync(join(DEPLOY, 'helm/reelgraph/values.many.yaml'), 'utf8'));
const SCALED = { autoscaling: { enabled: true }, settings: { LOG_LEVEL: 'warn' }, nodeSelector: { disk: 'fast' } };

/** Values that take every branch of the templates, with what they make. */
const VARIANTS: readonly (readonly [name: string, values: Values, objects: readonly string[]])[] = [
  [
    'one',
    {},
    ['Deployment one', 'Ingress api', 'NetworkPolicy one', 'PersistentVolumeClaim one', 'Service api', 'Service live'],
  ],
  [
    'many',
    MANY,
    [
      ...['Deployment api', 'Deployment worker', 'Ingress api'],
      ...['NetworkPolicy api', 'NetworkPolicy live', 'NetworkPolicy worker'],
      ...['PodDisruptionBudget api', 'PodDisruptionBudget live', 'PodDisruptionBudget worker'],
      ...['Service api', 'Service live', 'StatefulSet live'],
    ],
  ],
  [
    'many, scaled and restricted',
    {
      ...MANY,
      image: { tag: '0.1.1', pullSecrets: ['registry'] },
      sandbox: { complete: false },
      api: SCALED,
      worker: SCALED,
      live: { storageClass: 'ssd', service: { annotations: { 'example.com/pool': 'public' } } },
    },
    [
      ...['Deployment api', 'Deployment worker', 'HorizontalPodAutoscaler api', 'HorizontalPodAutoscaler worker'],
      ...['Ingress api', 'NetworkPolicy api', 'NetworkPolicy live', 'NetworkPolicy worker'],
      ...['PodDisruptionBudget api', 'PodDisruptionBudget live', 'PodDisruptionBudget worker'],
      ...['Service api', 'Service live', 'StatefulSet live'],
    ],
  ],
  [
    'many, the least',
    {
      ...MANY,
      ingress: { enabled: false },
      networkPolicy: { enabled: false },
      podDisruptionBudget: { enabled: false },
      live: { enabled: false },
    },
    ['Deployment api', 'Deployment worker', 'Service api'],
  ],
  [
    'one, with secrets and a class of storage',
    { one: { storageClass: 'ssd' }, secrets: { settings: ['SMTP_URL'] }, settings: { MAIL: 'smtp' } },
    ['Deployment one', 'Ingress api', 'NetworkPolicy one', 'PersistentVolumeClaim one', 'Service api', 'Service live'],
  ],
];

const matchesSchema = new Ajv({ allErrors: true, strictTypes: false }).compile(chartFile('values.schema.json'));

describe('the Helm chart', () => {
  for (const [name, values, objects] of VARIANTS)
    describe(name, () => {
      it('is valid, and makes valid objects', async () => {
        assert.equal(matchesSchema(valuesWith(values)), true, JSON.stringify(matchesSchema.errors));
        const manifests = await renderChart(values);
        const names = manifests.map(({ kind, metadata }) => `${kind} ${metadata.name}`).sort();
        assert.deepEqual(names, [...objects, 'ServiceAccount'].map(nameOf).sort());
        for (const manifest of manifests) validate(manifest);
      });

      it('gives each pod the settings that exist, and the least rights', async () => {
        const manifests = await renderChart(values);
        const isRestricted = name.includes('restricted');
        for (const pod of podsOf(manifests)) {
          const [container] = pod.containers;
          const names = container.env.map((each: { name: string }) => each.name);
          assert.deepEqual(findWrongSettings(names), []);
          assert.deepEqual(names, [...new Set(names)], 'each setting once');
          assert.deepEqual(
            [pod.securityContext.runAsNonRoot, pod.automountServiceAccountToken, pod.enableServiceLinks],
            [true, false, false],
          );
          const { procMount, ...rights } = container.securityContext;
          assert.deepEqual(rights, {
            allowPrivilegeEscalation: false,
            readOnlyRootFilesystem: true,
            capabilities: { drop: ['ALL'] },
          });
          assert.deepEqual(
            [procMount, pod.hostUsers, pod.securityContext.seccompProfile.type],
            isRestricted ? [undefined, undefined, 'RuntimeDefault'] : ['Unmasked', false, 'Unconfined'],
          );
          assert.deepEqual(
            container.volumeMounts.map((each: { name: string }) => each.name).sort(),
            [...pod.volumes.map((each: { name: string }) => each.name), ...claimsOf(manifests, pod)].sort(),
          );
        }
      });

      it('connects services, policies and budgets with pods', async () => {
        const manifests = await renderChart(values);
        const pods = manifests.flatMap(({ kind, spec }) =>
          /^(Deployment|StatefulSet)$/.test(kind) ? [spec.template.metadata.labels] : [],
        );
        for (const { kind, metadata, spec } of manifests) {
          const labels = spec?.podSelector?.matchLabels ?? spec?.selector?.matchLabels ?? spec?.selector;
          if (kind === 'ServiceAccount' || labels === undefined) continue;
          const selects = pods.filter((pod) => Object.entries(labels).every(([key, value]) => pod[key] === value));
          assert.equal(selects.length, 1, `${kind} ${metadata.name} selects ${selects.length} kinds of pods`);
        }
      });
    });

  it('has no field that Kubernetes does not have', async () => {
    const rendered = await Promise.all(VARIANTS.map(([, values]) => renderChart(values)));
    assert.equal(typeErrors(rendered.flat()), '');
  });

  it('reads secrets from files only', async () => {
    const [api] = podsOf((await renderChart(MANY)).filter(({ metadata }) => metadata.name === 'video-api'));
    const env = Object.fromEntries(
      api.containers[0].env.map((each: { name: string; value: string }) => [each.name, each.value]),
    );
    assert.equal(env.SECRET_KEY_FILE, '/run/secrets/reelgraph/SECRET_KEY');
    assert.equal('SECRET_KEY' in env, false);
    const { secret } = api.volumes.find((each: { name: string }) => each.name === 'secrets');
    assert.deepEqual(
      secret.items.map((each: { key: string }) => each.key),
      [...['DATABASE_URL', 'SECRET_KEY', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY', 'SMTP_URL']],
    );
  });

  it('does not put an autoscaled number of replicas back', async () => {
    const manifests = await renderChart({ ...MANY, api: SCALED });
    const replicasOf = (name: string) =>
      manifests.find(({ kind, metadata }) => kind === 'Deployment' && metadata.name === name)?.spec.replicas;
    assert.deepEqual([replicasOf('video-api'), replicasOf('video-worker')], [undefined, 1]);
  });

  for (const [name, values, complaint] of [
    ['an unknown value', { replicas: 3 }, /must NOT have additional properties/],
    ['an unknown mode', { mode: 'some' }, /must be equal to one of the allowed values/],
    ['many without a shared database', { ...MANY, secrets: { settings: ['SECRET_KEY'] } }, /must contain at least 1/],
    ['many without a store', { ...MANY, settings: {} }, /must have required property 'STORAGE'/],
    ['a number as a setting', { settings: { PORT: 4000 } }, /must be string/],
  ] as const)
    it(`refuses ${name}`, () => {
      // Maps are merged by name, so that nothing of values.yaml could be left out.
      assert.equal(matchesSchema({ ...valuesWith(values as Values) }), false);
      assert.match(JSON.stringify(matchesSchema.errors), complaint);
    });

  it('notices a field that Kubernetes does not have, and a wrong one', async () => {
    const [deployment] = (await renderChart(MANY)) as [Manifest];
    const text = JSON.stringify(deployment);
    assert.match(typeErrors([JSON.parse(text.replace('"readinessProbe"', '"readynessProbe"'))]), /readynessProbe/);
    assert.throws(() => validate(JSON.parse(text.replace('"replicas":2', '"replicas":"two"'))), /replicas/);
  });

  it('has notes', async () => {
    assert.match(await renderFile('NOTES.txt'), /exec deployment\/video-one/);
    assert.match(await renderFile('NOTES.txt', MANY), /exec deployment\/video-api/);
  });
});

const nameOf = (object: string): string =>
  object === 'ServiceAccount' ? 'ServiceAccount video' : object.replace(' ', ' video-');

// biome-ignore lint/suspicious/noExplicitAny: templates of pods, whose types the compiler has checked.
function podsOf(manifests: readonly Manifest[]): any[] {
  return manifests.flatMap(({ spec }) => (spec?.template ? [spec.template.spec] : []));
}

/** Names of the volumes that a stateful set claims for the pod. */
function claimsOf(manifests: readonly Manifest[], pod: unknown): string[] {
  const owner = manifests.find(({ spec }) => spec?.template?.spec === pod);
  return (owner?.spec.volumeClaimTemplates ?? []).map((each: Manifest) => each.metadata.name);
}

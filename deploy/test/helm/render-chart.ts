import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse as renderTemplate } from '@evertdespiegeleer/go-template';
import { parse, parseAllDocuments } from 'yaml';

const CHART = join(import.meta.dirname, '../../helm/reelgraph');
const TEMPLATES = join(CHART, 'templates');

/** Values by name, as in values.yaml; what is given replaces the same value there. */
export interface Values {
  readonly [name: string]: unknown;
}

/** A Kubernetes object. */
export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly labels?: Readonly<Record<string, string>> };
  // biome-ignore lint/suspicious/noExplicitAny: the shape is the kind's, which stands beside each use.
  readonly spec?: any;
}

/** A file of the chart, parsed. */
export function chartFile(name: 'Chart.yaml' | 'values.yaml' | 'values.schema.json'): Values {
  return parse(readFileSync(join(CHART, name), 'utf8'));
}

/** The values of the chart with these in their place, as Helm merges them: objects by name, everything else whole. */
export function valuesWith(replaced: Values): Values {
  return merged(chartFile('values.yaml'), replaced);
}

/**
 * The objects of the chart, in the order of its files, rendered by Go's own text/template. Throws where a template
 * names a value that does not exist, or renders what is not YAML.
 */
export async function renderChart(replaced: Values = {}): Promise<Manifest[]> {
  const manifests: Manifest[] = [];
  for (const file of readdirSync(TEMPLATES).filter((name) => name.endsWith('.yaml'))) {
    const text = await renderFile(file, replaced);
    for (const document of parseAllDocuments(text, { strict: true, uniqueKeys: true })) {
      const [error] = document.errors;
      if (error) throw new Error(`${file}: ${error.message}\n${text}`);
      const manifest = document.toJS();
      if (manifest !== null) manifests.push(manifest);
    }
  }
  return manifests;
}

/** The text of one file of the chart. */
export async function renderFile(file: string, replaced: Values = {}): Promise<string> {
  const { name, version, appVersion } = chartFile('Chart.yaml');
  const helpers = readFileSync(join(TEMPLATES, '_helpers.tpl'), 'utf8');
  return renderTemplate(helpers + readFileSync(join(TEMPLATES, file), 'utf8'), {
    Values: valuesWith(replaced),
    Release: { Name: 'video', Namespace: 'media', Service: 'Helm' },
    Chart: { Name: name, Version: version, AppVersion: appVersion },
  });
}

function merged(values: Values, replaced: Values): Values {
  const both = Object.entries(replaced).map(([name, value]) => {
    const present = values[name];
    return [name, isObject(present) && isObject(value) ? merged(present, value) : value];
  });
  return { ...values, ...Object.fromEntries(both) };
}

function isObject(value: unknown): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

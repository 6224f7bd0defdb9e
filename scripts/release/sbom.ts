import { createHash } from 'node:crypto';
import type { ThirdParty } from './licenses.ts';

/** An installed package of Debian. */
export interface DebianPackage {
  readonly name: string;
  readonly version: string;
  /** Debian's name of the processor: amd64, arm64, or all. */
  readonly architecture: string;
}

/** Packages in the format of /var/lib/dpkg/status; without those that are not installed. */
export function debianPackages(status: string): DebianPackage[] {
  const found = status.split(/\n{2,}/).flatMap((paragraph) => {
    const field = (name: string) => new RegExp(`^${name}: (.+)$`, 'm').exec(paragraph)?.[1];
    const [name, version, architecture] = [field('Package'), field('Version'), field('Architecture')];
    const isInstalled = field('Status')?.endsWith(' installed') ?? false;
    return isInstalled && name && version && architecture ? [{ name, version, architecture }] : [];
  });
  return found.sort((a, b) => (a.name < b.name ? -1 : 1));
}

/**
 * The bill of materials of a release in CycloneDX 1.6: packages of npm, Node, and packages of Debian where the release
 * contains them. It is the same for the same contents.
 */
export function billOfMaterials(options: {
  readonly version: string;
  /** When the release was made, ISO 8601. */
  readonly created: string;
  readonly packages: readonly ThirdParty[];
  readonly debian: readonly DebianPackage[];
}): string {
  const components = [...options.packages.map(npmComponent), ...options.debian.map(debianComponent)];
  const digest = createHash('sha256')
    .update(JSON.stringify([options.version, components]))
    .digest('hex');
  const bill = {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: `urn:uuid:${uuidOf(digest)}`,
    version: 1,
    metadata: {
      timestamp: options.created,
      component: { type: 'application', 'bom-ref': 'reelgraph', name: 'reelgraph', version: options.version },
    },
    components,
  };
  return `${JSON.stringify(bill, null, 2)}\n`;
}

function npmComponent({ name, version, license }: ThirdParty): object {
  // Package URLs of npm: https://github.com/package-url/purl-spec
  const purl = name === 'node' ? `pkg:generic/node@${version}` : `pkg:npm/${name.replace('@', '%40')}@${version}`;
  const licenses = license === null ? {} : { licenses: [{ expression: license }] };
  return { type: name === 'node' ? 'platform' : 'library', 'bom-ref': purl, name, version, ...licenses, purl };
}

function debianComponent({ name, version, architecture }: DebianPackage): object {
  const purl = `pkg:deb/debian/${name}@${encodeURIComponent(version)}?arch=${architecture}&distro=debian-12`;
  return { type: 'library', 'bom-ref': purl, name, version, purl };
}

/** A UUID of version 8 (RFC 9562, section 5.8) from a digest in hexadecimal. */
function uuidOf(digest: string): string {
  const part = (start: number, end: number) => digest.slice(start, end);
  return `${part(0, 8)}-${part(8, 12)}-8${part(13, 16)}-a${part(17, 20)}-${part(20, 32)}`;
}

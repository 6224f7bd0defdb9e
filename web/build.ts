import { readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import { build } from 'vite';
import { TRANSLATED } from './i18n/catalogs.ts';

/**
 * Builds the web application into one folder: `node web/build.ts FOLDER`. English has index.html and embed.html,
 * another language index.de.html and embed.de.html. The player for other sites has scripts of its own, because sites do
 * not share what a browser keeps. What has no text is the same file in each language. The API explorer, which alone has
 * GraphiQL, and player.js are in English.
 */
const folder = process.argv[2];
if (!folder) throw new Error('Name the folder for the build.');
const own = join(folder, '.build');

/** A package of which something is in the build, as Vite describes it. */
interface BundledPackage {
  readonly name: string;
  readonly version: string;
  readonly identifier?: string;
  readonly text?: string;
}
/** Releases list them with their licences. Names with a dot are not served. */
const BUNDLED = '.bundled-packages.json';
const bundled = new Map<string, BundledPackage>();

await buildPages(folder, 'en', ['index.html']);
await addPages('en', ['embed.html']);
await addPages('en', ['graphiql.html', '../clients/player/src/script.ts']);
for (const language of TRANSLATED) {
  await addPages(language, ['index.html']);
  await addPages(language, ['embed.html']);
}
rmSync(own, { recursive: true });
writeFileSync(join(folder, BUNDLED), JSON.stringify([...bundled.values()]));
compress(folder);
compress(join(folder, 'assets'));

/** Builds pages elsewhere and moves them to the others. */
async function addPages(language: string, inputs: readonly string[]): Promise<void> {
  await buildPages(own, language, inputs);
  const move = (from: string, to: string): void => renameSync(join(own, from), join(folder ?? '', to));
  for (const name of readdirSync(join(own, 'assets'))) move(`assets/${name}`, `assets/${name}`);
  for (const name of readdirSync(own))
    if (name !== 'assets') move(name, language === 'en' ? name : name.replace('.html', `.${language}.html`));
}

async function buildPages(outDir: string, language: string, inputs: readonly string[]): Promise<void> {
  process.env.APP_LANGUAGE = language;
  const configFile = join(import.meta.dirname, 'vite.config.ts');
  const input = inputs.map((name) => join(import.meta.dirname, name));
  const isFirst = outDir === folder; // has the files of the folder `public`, too
  await build({
    configFile,
    logLevel: 'error',
    build: {
      outDir,
      emptyOutDir: true,
      copyPublicDir: isFirst,
      license: { fileName: BUNDLED },
      rolldownOptions: { input },
    },
  });
  const used = JSON.parse(readFileSync(join(outDir, BUNDLED), 'utf8')) as BundledPackage[];
  for (const each of used) bundled.set(`${each.name}@${each.version}`, each);
  rmSync(join(outDir, BUNDLED));
}

/** Brotli copies at the highest level, which would take too long for a request; the server prefers them. */
function compress(files: string): void {
  const leastBytes = 256; // smaller files are sent as they are
  for (const name of readdirSync(files)) {
    const path = join(files, name);
    if (!/\.(?:js|css)$/.test(name) || statSync(path).size < leastBytes) continue;
    const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY };
    writeFileSync(`${path}.br`, brotliCompressSync(readFileSync(path), { params }));
  }
}

import { readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import { build } from 'vite';
import { TRANSLATED } from './i18n/catalogs.ts';

/**
 * Builds the application in each language into one folder: `node web/build.ts FOLDER`. English has index.html and
 * embed.html, another language index.de.html and embed.de.html. What has no text is the same file in each build.
 */
const folder = process.argv[2];
if (!folder) throw new Error('Name the folder for the build.');

await buildLanguage('en', folder);
for (const language of TRANSLATED) {
  const own = join(folder, `.${language}`);
  await buildLanguage(language, own);
  for (const name of readdirSync(join(own, 'assets')))
    renameSync(join(own, 'assets', name), join(folder, 'assets', name));
  for (const page of ['index', 'embed'])
    renameSync(join(own, `${page}.html`), join(folder, `${page}.${language}.html`));
  rmSync(own, { recursive: true });
}
compress(folder);
compress(join(folder, 'assets'));

async function buildLanguage(language: string, outDir: string): Promise<void> {
  process.env.APP_LANGUAGE = language;
  const configFile = join(import.meta.dirname, 'vite.config.ts');
  await build({ configFile, logLevel: 'error', build: { outDir, emptyOutDir: true } });
}

/** Brotli copies at the highest level, which would take too long for a request; the server prefers them. */
function compress(files: string): void {
  const leastBytes = 1_024; // smaller files are sent as they are
  for (const name of readdirSync(files)) {
    const path = join(files, name);
    if (!/\.(?:js|css)$/.test(name) || statSync(path).size < leastBytes) continue;
    const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY };
    writeFileSync(`${path}.br`, brotliCompressSync(readFileSync(path), { params }));
  }
}

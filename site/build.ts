/** Builds the site into dist/: pages from docs/ and the contract, and the files that they load. */
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { build, type Rolldown } from 'vite';
import { buildPages, driverPage, navigationOf, notFoundPage } from './src/build-pages.ts';
import { type Assets, type PageContent, pageHtml } from './src/layout.ts';
import { searchDocumentsOf } from './src/search-documents.ts';
import { DOWNLOADS, LANGUAGES, type Language, urlOf } from './src/site-pages.ts';
import { TEXTS } from './src/site-texts.ts';

const FOLDER = import.meta.dirname;
const DIST = join(FOLDER, 'dist');

rmSync(DIST, { recursive: true, force: true });
const pages = LANGUAGES.map((language) => ({ language, pages: buildPages(language) }));
const assets: Assets = {
  ...(await bundleScripts()),
  theme: writeAsset('theme.js', readFileSync(join(FOLDER, 'client/theme.js'))),
  icon: writeAsset('icon.svg', readFileSync(join(FOLDER, '../apps/dashboard/src/layout/icon.svg'))),
  searchIndex: { en: writeSearch('en'), fr: writeSearch('fr') },
};
for (const { language, pages: all } of pages) {
  const navigation = navigationOf(language);
  for (const page of all)
    writePage(`${language}/${page.id === '' ? 'index' : page.id}`, pageHtml(page, assets, navigation));
  writePage(`${language}/404`, pageHtml(notFoundPage(language), assets, []));
}
writePage('driver', pageHtml(driverPage(), assets, []));
for (const [file, name] of Object.entries(DOWNLOADS))
  write(`files/${name}`, readFileSync(new URL(`../${file}`, import.meta.url)));

/** Script and styles, with names that contain a hash of their content. */
async function bundleScripts(): Promise<Pick<Assets, 'style' | 'script'>> {
  const result = (await build({
    root: join(FOLDER, 'client'),
    base: '/docs/',
    configFile: false,
    logLevel: 'warn',
    build: {
      outDir: DIST,
      emptyOutDir: false,
      target: 'es2023',
      modulePreload: false,
      rolldownOptions: { input: join(FOLDER, 'client/main.ts') },
    },
  })) as Rolldown.RolldownOutput;
  const names = result.output.map(({ fileName }) => fileName);
  const script = result.output.find((file) => file.type === 'chunk' && file.isEntry)?.fileName;
  const style = names.find((name) => name.endsWith('.css'));
  if (!script || !style) throw new Error(`no script or style among ${names.join(', ')}`);
  return { script: `/docs/${script}`, style: `/docs/${style}` };
}

/** The sections of every page, which the script searches. */
function writeSearch(language: Language): string {
  const all = pages.find((one) => one.language === language)?.pages ?? [];
  const documents = all
    .filter(({ id }) => id !== '')
    .flatMap(({ id, title, html }: PageContent) =>
      searchDocumentsOf(
        id.startsWith('api/') ? `${TEXTS[language].reference}: ${title}` : title,
        urlOf(language, id),
        html,
      ),
    );
  return writeAsset(`search-${language}.json`, Buffer.from(JSON.stringify(documents)));
}

function writeAsset(name: string, bytes: Buffer): string {
  const hash = createHash('sha256').update(bytes).digest('base64url').slice(0, 8);
  const path = `assets/${name.replace('.', `-${hash}.`)}`;
  write(path, bytes);
  return `/docs/${path}`;
}

function writePage(name: string, html: string): void {
  write(`${name}.html`, html);
}

function write(path: string, content: string | Buffer): void {
  mkdirSync(dirname(join(DIST, path)), { recursive: true });
  writeFileSync(join(DIST, path), content);
}

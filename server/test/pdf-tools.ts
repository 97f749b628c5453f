import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const NOTHING_FOUND = 4; // exit code of zbarimg
const OPTIONS = { maxBuffer: 64 * 1024 * 1024 };

async function inFolder<Result>(use: (folder: string) => Promise<Result>): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'navette-pdf-'));
  try {
    return await use(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** The text of each page, as pdftotext reads it, on one line and without direction marks. */
export function textOfPages(pdf: Buffer): Promise<string[]> {
  return inFolder(async (folder) => {
    await writeFile(join(folder, 'in.pdf'), pdf);
    const { stdout } = await run('pdftotext', ['-enc', 'UTF-8', join(folder, 'in.pdf'), '-'], OPTIONS);
    return stdout.split('\f').slice(0, -1).map(asRead);
  });
}

/** Text normalised for comparison: composed, one space between words, no direction marks. */
export const asRead = (text: string): string =>
  text
    .normalize('NFKC')
    .replace(/[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '')
    .replace(/\s+/g, ' ')
    .trim();

interface Area {
  x: number;
  y: number;
  width: number;
  height: number;
}

/**
 * The codes that a scanner finds on each page printed at 203 dots per inch, as `CODE-128:…` and `QR-Code:…`, sorted; in an
 * area, in dots from the top left corner, or on the whole page.
 */
export function codesOfPages(pdf: Buffer, area?: Area): Promise<string[][]> {
  return inFolder(async (folder) => {
    await writeFile(join(folder, 'in.pdf'), pdf);
    const cut = area ? ['-x', area.x, '-y', area.y, '-W', area.width, '-H', area.height].map(String) : [];
    await run('pdftoppm', ['-gray', '-r', '203', ...cut, join(folder, 'in.pdf'), join(folder, 'page')], OPTIONS);
    const pages = (await readdir(folder)).filter((file) => file.startsWith('page')).sort();
    const symbologies = ['-Sdisable', '-Scode128.enable', '-Sqrcode.enable'];
    const scan = run('zbarimg', ['-q', '--xml', ...symbologies, ...pages], { ...OPTIONS, cwd: folder });
    const { stdout } = await scan.catch((error: { code?: number; stdout: string }) => {
      if (error.code !== NOTHING_FOUND) throw error;
      return error;
    });
    const scanned = new Map(
      Array.from(stdout.matchAll(/<source href='([^']+)'>(.*?)<\/source>/gs), ([, page = '', found = '']) => {
        const codes = found.matchAll(/<symbol type='([^']+)'.*?<!\[CDATA\[(.*?)\]\]>/gs);
        return [page, Array.from(codes, ([, type, text]) => `${type}:${text}`).sort()];
      }),
    );
    return pages.map((page) => scanned.get(page) ?? []);
  });
}

/** Errors that qpdf finds in a file; empty for a clean file. */
export function faultsOfPdf(pdf: Buffer): Promise<string> {
  return inFolder(async (folder) => {
    await writeFile(join(folder, 'in.pdf'), pdf);
    const outcome = await run('qpdf', ['--check', join(folder, 'in.pdf')]).catch(
      (error: { stdout: string; stderr: string }) => error,
    );
    const said = `${outcome.stdout}${outcome.stderr}`;
    return said.includes('No syntax or stream encoding errors found') && !said.includes('WARNING') ? '' : said;
  });
}

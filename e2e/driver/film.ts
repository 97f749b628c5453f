import { writeFileSync } from 'node:fs';
import type { Browser } from 'playwright-core';
import encodeQr from 'qr';
import { code128 } from '../../server/src/features/labels/page/code-128.ts';

const [WIDTH, HEIGHT, FRAMES] = [640, 480, 10];
const [BLACK, WHITE, GREY] = [16, 235, 128];

/** A film of black and white. */
function writeFilm(file: string, isDark: (x: number, y: number) => boolean): void {
  const luma = Buffer.alloc(WIDTH * HEIGHT, WHITE);
  for (let y = 0; y < HEIGHT; y++) for (let x = 0; x < WIDTH; x++) if (isDark(x, y)) luma[y * WIDTH + x] = BLACK;
  writeFrames(file, luma);
}

/** A film for Chromium's fake camera: the same picture in grey, again and again. */
function writeFrames(file: string, luma: Buffer): void {
  const chroma = Buffer.alloc((WIDTH * HEIGHT) / 2, GREY);
  const frame = Buffer.concat([Buffer.from('FRAME\n'), luma, chroma]);
  const head = Buffer.from(`YUV4MPEG2 W${WIDTH} H${HEIGHT} F10:1 Ip A1:1 C420jpeg\n`);
  writeFileSync(file, Buffer.concat([head, ...Array.from({ length: FRAMES }, () => frame)]));
}

/** Films a picture of a screen, in the middle of a grey background. A browser decodes the PNG. */
export async function filmPicture(file: string, png: Buffer, browser: Browser): Promise<void> {
  const page = await browser.newPage();
  const green = await page.evaluate(`(async () => {
    const image = new Image();
    image.src = 'data:image/png;base64,${png.toString('base64')}';
    await image.decode();
    const canvas = Object.assign(document.createElement('canvas'), { width: ${WIDTH}, height: ${HEIGHT} });
    const context = canvas.getContext('2d');
    context.fillStyle = '#888';
    context.fillRect(0, 0, ${WIDTH}, ${HEIGHT});
    const scale = Math.min(${WIDTH} / image.width, ${HEIGHT} / image.height) * 0.9;
    const [width, height] = [image.width * scale, image.height * scale];
    context.drawImage(image, (${WIDTH} - width) / 2, (${HEIGHT} - height) / 2, width, height);
    const { data } = context.getImageData(0, 0, ${WIDTH}, ${HEIGHT});
    return data.filter((_, at) => at % 4 === 1).reduce((text, value) => text + String.fromCharCode(value), '');
  })()`);
  await page.close();
  const scaled = Buffer.from(String(green), 'latin1').map((value) => BLACK + (value * (WHITE - BLACK)) / 255);
  writeFrames(file, Buffer.from(scaled));
}

export function filmQr(file: string, text: string): void {
  const rows = encodeQr(text, 'raw', { ecc: 'medium', border: 2 });
  const module = Math.floor((HEIGHT * 0.85) / rows.length);
  const [left, top] = [WIDTH, HEIGHT].map((side) => Math.floor((side - rows.length * module) / 2));
  writeFilm(
    file,
    (x, y) => rows[Math.floor((y - Number(top)) / module)]?.[Math.floor((x - Number(left)) / module)] === true,
  );
}

export function filmCode128(file: string, text: string): void {
  const bars = code128(text).flatMap((width, i) => Array.from({ length: width }, () => i % 2 === 0));
  const module = Math.floor((WIDTH * 0.85) / bars.length);
  const left = Math.floor((WIDTH - bars.length * module) / 2);
  writeFilm(file, (x, y) => y > 150 && y < 330 && bars[Math.floor((x - left) / module)] === true);
}

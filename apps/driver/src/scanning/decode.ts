import type { Frame } from './camera.ts';

/** Text of a code in the frame; null when there is none. */
export type Decode = (frame: Frame) => Promise<string | null>;

/** QR codes, with a decoder of 15 kB that is always on the phone. */
export async function loadQrDecoder(): Promise<Decode> {
  const { default: decodeQR } = await import('qr/decode.js');
  return async ({ width, height, data }) => {
    try {
      return decodeQR({ width, height, data });
    } catch {
      return null; // no code in this frame
    }
  };
}

/** Also the bar code of labels (Code 128). Loads 1 MB of WebAssembly from this host, so only when the driver asks. */
export async function loadBarcodeDecoder(): Promise<Decode> {
  const [{ prepareZXingModule, readBarcodes }, { default: wasmUrl }] = await Promise.all([
    import('zxing-wasm/reader'),
    import('zxing-wasm/reader/zxing_reader.wasm?url'),
  ]);
  await prepareZXingModule({
    overrides: { locateFile: (path: string, prefix: string) => (path.endsWith('.wasm') ? wasmUrl : prefix + path) },
    fireImmediately: true,
  });
  return async ({ image }) => {
    const [found] = await readBarcodes(image, {
      formats: ['Code128', 'QRCode'],
      maxNumberOfSymbols: 1,
      tryHarder: true,
    });
    return found?.text ?? null;
  };
}

import { useEffect, useRef, useState } from 'react';
import { useText } from '../../i18n/text.ts';
import { Button } from '../../parts/controls.tsx';
import { Message } from '../../parts/message.tsx';
import { lightOf, openCamera, readFrames } from '../../scanning/camera.ts';
import { type Decode, loadBarcodeDecoder, loadQrDecoder } from '../../scanning/decode.ts';

interface ScannerProps {
  hint: string;
  /** Also offers to read bar codes. */
  withBarcodes?: boolean;
  /** Called once for each text that differs from the one before. */
  onText: (text: string) => void;
}

/** The camera's picture; reports codes until the page is closed. */
export function Scanner({ hint, withBarcodes = false, onText }: ScannerProps) {
  const { t } = useText();
  const video = useRef<HTMLVideoElement>(null);
  const report = useRef(onText);
  report.current = onText;
  const decode = useRef<Decode | null>(null);
  const [failure, setFailure] = useState<'denied' | 'noCamera' | null>(null);
  const [light, setLight] = useState<((isOn: boolean) => Promise<void>) | null>(null);
  const [isLit, setLit] = useState(false);
  const [isBarcode, setBarcode] = useState(false);

  useEffect(() => {
    let isClosed = false;
    let last: string | null = null;
    const ends: (() => void)[] = [];
    const endAll = () => {
      for (const end of ends) end();
    };
    async function start() {
      const stream = await openCamera();
      ends.push(() => {
        for (const track of stream.getTracks()) track.stop();
      });
      decode.current ??= await loadQrDecoder();
      const picture = video.current;
      if (isClosed || !picture) return endAll();
      setLight(() => lightOf(stream));
      picture.srcObject = stream;
      await picture.play();
      ends.push(
        readFrames(picture, async (frame) => {
          const text = (await decode.current?.(frame)) ?? null;
          if (text === null || text === last || isClosed) return;
          last = text;
          report.current(text);
        }),
      );
    }
    start().catch((error: unknown) => {
      if (!isClosed)
        setFailure(error instanceof DOMException && error.name === 'NotAllowedError' ? 'denied' : 'noCamera');
    });
    return () => {
      isClosed = true;
      endAll();
    };
  }, []);

  async function readBarcodes() {
    setBarcode(true);
    decode.current = await loadBarcodeDecoder().catch(() => decode.current); // offline before its first use
  }

  if (failure) {
    return (
      <Message kind="warning">
        <p>{t.scan[failure]}</p>
      </Message>
    );
  }
  return (
    <div className="scanner">
      <video ref={video} muted playsInline />
      <p>{hint}</p>
      <div className="buttons">
        {light ? (
          <Button
            icon="light"
            aria-pressed={isLit}
            onClick={() => {
              setLit(!isLit);
              void light(!isLit);
            }}
          >
            {t.scan.light}
          </Button>
        ) : null}
        {withBarcodes ? (
          <Button icon="scan" aria-pressed={isBarcode} disabled={isBarcode} onClick={() => void readBarcodes()}>
            {isBarcode ? t.scan.barcodeOn : t.scan.barcode}
          </Button>
        ) : null}
      </div>
    </div>
  );
}

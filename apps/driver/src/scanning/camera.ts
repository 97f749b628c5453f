/** Frames a second that are decoded: more would only heat the phone. */
const EVERY_MS = 120;
const MAX_SIDE = 960; // a code at arm's length has enough pixels, and decoding stays below 10 ms

export type Frame = { width: number; height: number; data: Uint8ClampedArray; image: ImageData };

/** The camera at the back, with a light if it has one. */
export async function openCamera(): Promise<MediaStream> {
  return navigator.mediaDevices.getUserMedia({
    video: { facingMode: { ideal: 'environment' }, width: { ideal: 1280 }, height: { ideal: 720 } },
  });
}

/** Calls `onFrame` for frame after frame, never two at a time. Returns the function that ends it. */
export function readFrames(video: HTMLVideoElement, onFrame: (frame: Frame) => Promise<void>): () => void {
  const canvas = document.createElement('canvas');
  const context = canvas.getContext('2d', { willReadFrequently: true });
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isEnded = false;

  async function next(): Promise<void> {
    const { videoWidth, videoHeight } = video;
    if (context && videoWidth > 0) {
      const scale = Math.min(1, MAX_SIDE / Math.max(videoWidth, videoHeight));
      const [width, height] = [Math.round(videoWidth * scale), Math.round(videoHeight * scale)];
      Object.assign(canvas, { width, height });
      context.drawImage(video, 0, 0, width, height);
      const image = context.getImageData(0, 0, width, height);
      await onFrame({ width, height, data: image.data, image });
    }
    if (!isEnded) timer = setTimeout(() => void next(), EVERY_MS);
  }
  void next();
  return () => {
    isEnded = true;
    clearTimeout(timer);
  };
}

export function lightOf(stream: MediaStream): ((isOn: boolean) => Promise<void>) | null {
  const [track] = stream.getVideoTracks();
  if (!track?.getCapabilities?.().torch) return null;
  return (isOn) => track.applyConstraints({ advanced: [{ torch: isOn }] });
}

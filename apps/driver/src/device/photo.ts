const LONGEST_SIDE = 1_280;
const QUALITY = 0.7;

/** Scales a photo down and encodes it again as JPEG, which also removes the place and the camera's data. Base64. */
export async function shrinkPhoto(file: Blob): Promise<string> {
  const picture = await createImageBitmap(file);
  const scale = Math.min(1, LONGEST_SIDE / Math.max(picture.width, picture.height));
  const canvas = document.createElement('canvas');
  canvas.width = Math.round(picture.width * scale);
  canvas.height = Math.round(picture.height * scale);
  canvas.getContext('2d')?.drawImage(picture, 0, 0, canvas.width, canvas.height);
  picture.close();
  return base64Of(canvas, 'image/jpeg', QUALITY);
}

export const base64Of = (canvas: HTMLCanvasElement, type: string, quality?: number): string =>
  canvas.toDataURL(type, quality).replace(/^[^,]*,/, '');

const READ_WITHIN_MS = 60_000;

/** Opens a file in a new tab, for printing. Downloads it if the browser blocks the tab. */
export function showFile(file: Blob, name: string): void {
  const url = addressOf(file);
  if (!window.open(url, '_blank')) download(url, name);
}

/** Downloads a file that a browser cannot show. */
export const saveFile = (file: Blob, name: string): void => download(addressOf(file), name);

function addressOf(file: Blob): string {
  const url = URL.createObjectURL(file);
  setTimeout(() => URL.revokeObjectURL(url), READ_WITHIN_MS);
  return url;
}

const download = (url: string, name: string): void =>
  Object.assign(document.createElement('a'), { href: url, download: name }).click();

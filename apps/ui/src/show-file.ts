const READ_WITHIN_MS = 60_000;

/** Opens a file in a new tab, for printing. Downloads it if the browser blocks the tab. */
export function showFile(file: Blob, name: string): void {
  const url = URL.createObjectURL(file);
  if (!window.open(url, '_blank')) {
    const link = Object.assign(document.createElement('a'), { href: url, download: name });
    link.click();
  }
  setTimeout(() => URL.revokeObjectURL(url), READ_WITHIN_MS);
}

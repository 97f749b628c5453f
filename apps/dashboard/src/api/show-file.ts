const READ_WITHIN_MS = 60_000;

/** Opens a file in a tab of its own, where it can be printed; saves it where the browser opens none. */
export function showFile(file: Blob, name: string): void {
  const address = URL.createObjectURL(file);
  if (!window.open(address, '_blank')) {
    const link = Object.assign(document.createElement('a'), { href: address, download: name });
    link.click();
  }
  setTimeout(() => URL.revokeObjectURL(address), READ_WITHIN_MS);
}

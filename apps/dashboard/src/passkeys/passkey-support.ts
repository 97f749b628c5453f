/** Whether this browser can use passkeys: over HTTPS, or on this machine. */
export const supportsPasskeys = (): boolean => 'PublicKeyCredential' in window;

/** The person closed the browser's dialog, or let it time out. */
export const isCancelled = (error: unknown): boolean =>
  error instanceof Error && ['NotAllowedError', 'AbortError'].includes(error.name);

/** 128 random bits. Unlike `crypto.randomUUID` there without TLS too, where a dashboard is tried out in a local network. */
export function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

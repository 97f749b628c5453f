/** 128 random bits. Not `crypto.randomUUID`, which is missing without TLS, as on a local network. */
export function newIdempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

import { createCipheriv, createECDH, hkdfSync, randomBytes } from 'node:crypto';

/** The keys that a browser creates with a subscription. */
export interface BrowserKeys {
  /** Uncompressed point of P-256, 65 bytes. */
  p256dh: Buffer;
  /** 16 random bytes. */
  auth: Buffer;
}

const CURVE = 'prime256v1';
const RECORD_BYTES = 4_096; // one record holds a whole message: push services accept no longer ones
const TAG_BYTES = 16;
const LAST_RECORD = 2; // the delimiter after the text, in place of padding
export const MAX_TEXT_BYTES = RECORD_BYTES - TAG_BYTES - 1 - 86; // 86: the header below, which counts towards 4,096

/** Chosen at random for each message; a test passes those of the RFC. */
interface Choices {
  privateKey?: Buffer;
  salt?: Buffer;
}

/**
 * Encrypts a message so that only the browser can read it: RFC 8291, with the content encoding `aes128gcm` of RFC 8188.
 * The header of the result is salt, record size, and our public key of this message.
 */
export function encryptPayload(text: string, { p256dh, auth }: BrowserKeys, choices: Choices = {}): Buffer {
  const plain = Buffer.from(text, 'utf8');
  if (plain.length > MAX_TEXT_BYTES) throw new RangeError('the push message is too long');
  const ours = createECDH(CURVE);
  if (choices.privateKey) ours.setPrivateKey(choices.privateKey);
  else ours.generateKeys();
  const salt = choices.salt ?? randomBytes(16);
  const publicKey = ours.getPublicKey();

  const info = Buffer.concat([Buffer.from('WebPush: info\0'), p256dh, publicKey]);
  const secret = derive(ours.computeSecret(p256dh), auth, info, 32);
  const key = derive(secret, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16);
  const nonce = derive(secret, salt, Buffer.from('Content-Encoding: nonce\0'), 12);

  const header = Buffer.alloc(21);
  salt.copy(header);
  header.writeUInt32BE(RECORD_BYTES, 16);
  header.writeUInt8(publicKey.length, 20);
  const cipher = createCipheriv('aes-128-gcm', key, nonce);
  const record = [cipher.update(plain), cipher.update(Buffer.of(LAST_RECORD)), cipher.final(), cipher.getAuthTag()];
  return Buffer.concat([header, publicKey, ...record]);
}

const derive = (secret: Buffer, salt: Buffer, info: Buffer, bytes: number): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, salt, info, bytes));

/** Whether a message can be encrypted for these keys: a point that is not on the curve would fail each time. */
export function areBrowserKeys({ p256dh, auth }: BrowserKeys): boolean {
  if (p256dh.length !== 65 || auth.length !== 16) return false;
  try {
    const ours = createECDH(CURVE);
    ours.generateKeys();
    ours.computeSecret(p256dh);
    return true;
  } catch {
    return false;
  }
}

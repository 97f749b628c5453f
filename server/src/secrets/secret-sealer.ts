import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto';

const IV_BYTES = 12;
const TAG_BYTES = 16;

export interface SealedSecret {
  /** Identifies the key without revealing it. */
  key: string;
  sealed: Buffer;
}

/** Encrypts secrets at rest, each bound to its row. The first key encrypts, and any of the keys decrypts. */
export interface SecretSealer {
  readonly newestKey: string;
  /** Names of all keys, newest first. */
  readonly keys: readonly string[];
  seal: (row: string, secret: string) => SealedSecret;
  open: (row: string, sealed: SealedSecret) => string;
}

interface Purpose {
  /** The owner of the secrets, such as `webhook`. Keys of one purpose cannot decrypt another, even with the same passphrase. */
  of: string;
  /** The setting with the passphrases, named in errors so that the operator can fix it. */
  setting: string;
}

export function createSealer({ of, setting }: Purpose, passphrases: readonly string[]): SecretSealer {
  const deriveKey = (passphrase: string) =>
    Buffer.from(hkdfSync('sha256', passphrase, '', `navette ${of} secrets`, 32));
  const nameOf = (passphrase: string) =>
    createHash('sha256').update(`navette ${of} key name:${passphrase}`).digest('hex').slice(0, 12);

  const keys = new Map(passphrases.map((passphrase) => [nameOf(passphrase), deriveKey(passphrase)]));
  const [newest] = keys;
  if (!newest) throw new Error('no key to encrypt secrets with');
  const [newestKey, sealingKey] = newest;
  return {
    newestKey,
    keys: [...keys.keys()],
    seal(row, secret) {
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv('aes-256-gcm', sealingKey, iv).setAAD(Buffer.from(row));
      const text = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
      return { key: newestKey, sealed: Buffer.concat([iv, cipher.getAuthTag(), text]) };
    },
    open(row, { key, sealed }) {
      const opening = keys.get(key);
      if (!opening) throw new Error(`a ${of}'s secret was encrypted with key ${key}, which is missing in ${setting}`);
      const iv = sealed.subarray(0, IV_BYTES);
      const tag = sealed.subarray(IV_BYTES, IV_BYTES + TAG_BYTES);
      const decipher = createDecipheriv('aes-256-gcm', opening, iv, { authTagLength: TAG_BYTES });
      decipher.setAAD(Buffer.from(row)).setAuthTag(tag);
      return Buffer.concat([decipher.update(sealed.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]).toString('utf8');
    },
  };
}

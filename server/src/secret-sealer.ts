import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto';

const IV_BYTES = 12;
const TAG_BYTES = 16;

export interface SealedSecret {
  /** Names the key without telling it. */
  key: string;
  sealed: Buffer;
}

/** Keeps secrets encrypted at rest, each bound to the row it belongs to: the first key seals, all of them open. */
export interface SecretSealer {
  readonly newestKey: string;
  seal: (row: string, secret: string) => SealedSecret;
  open: (row: string, sealed: SealedSecret) => string;
}

interface Purpose {
  /** Whose secrets: keys of one purpose open nothing of another, even when the passphrase is the same. */
  of: string;
  /** The variable that holds the passphrases, for who has to mend it. */
  setting: string;
}

export function createSealer({ of, setting }: Purpose, passphrases: readonly string[]): SecretSealer {
  const deriveKey = (passphrase: string) =>
    Buffer.from(hkdfSync('sha256', passphrase, '', `navette ${of} secrets`, 32));
  const nameOf = (passphrase: string) =>
    createHash('sha256').update(`navette ${of} key name:${passphrase}`).digest('hex').slice(0, 12);

  const keys = new Map(passphrases.map((passphrase) => [nameOf(passphrase), deriveKey(passphrase)]));
  const [newest] = keys;
  if (!newest) throw new Error('no key to seal secrets with');
  const [newestKey, sealingKey] = newest;
  return {
    newestKey,
    seal(row, secret) {
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv('aes-256-gcm', sealingKey, iv).setAAD(Buffer.from(row));
      const text = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
      return { key: newestKey, sealed: Buffer.concat([iv, cipher.getAuthTag(), text]) };
    },
    open(row, { key, sealed }) {
      const opening = keys.get(key);
      if (!opening) throw new Error(`a ${of}'s secret was sealed with key ${key}, which ${setting} lacks`);
      const iv = sealed.subarray(0, IV_BYTES);
      const tag = sealed.subarray(IV_BYTES, IV_BYTES + TAG_BYTES);
      const decipher = createDecipheriv('aes-256-gcm', opening, iv, { authTagLength: TAG_BYTES });
      decipher.setAAD(Buffer.from(row)).setAuthTag(tag);
      return Buffer.concat([decipher.update(sealed.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]).toString('utf8');
    },
  };
}

import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import type { NewPasskey, PasskeyProof } from '@navette/contract';

interface Site {
  rpId: string;
  origin: string;
}

/** Deviations from what an honest authenticator and browser send. */
export interface Forgery {
  origin?: string;
  rpId?: string;
  type?: string;
  counter?: number;
  isVerified?: boolean;
  userHandle?: string;
  format?: string;
}

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest();
const PRESENT = 0x01;
const VERIFIED = 0x04;
const HAS_CREDENTIAL = 0x40;

/** A WebAuthn authenticator with one P-256 key, and the browser around it. It counts its signatures. */
export function createAuthenticator(site: Site) {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  const credentialId = randomBytes(32);
  let counter = 0;
  let userHandle = '';

  const clientData = (type: string, challenge: string, origin = site.origin) =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
  const authenticatorData = (
    { rpId = site.rpId, isVerified = true, counter: forged }: Forgery,
    more = Buffer.alloc(0),
  ) => {
    const flags = PRESENT | (isVerified ? VERIFIED : 0) | (more.length > 0 ? HAS_CREDENTIAL : 0);
    const count = Buffer.alloc(4);
    count.writeUInt32BE(forged ?? counter);
    return Buffer.concat([sha256(rpId), Buffer.from([flags]), count, more]);
  };
  /** COSE: {1: 2, 3: -7, -1: 1, -2: x, -3: y}, in CBOR. */
  const cosePublicKey = () =>
    Buffer.concat([
      Buffer.from('a5010203262001215820', 'hex'),
      Buffer.from(x, 'base64url'),
      Buffer.from('225820', 'hex'),
      Buffer.from(y, 'base64url'),
    ]);

  return {
    id: credentialId.toString('base64url'),
    register(started: { challenge: string; user: { id: string } }, forgery: Forgery = {}): Omit<NewPasskey, 'name'> {
      userHandle = started.user.id;
      const length = Buffer.alloc(2);
      length.writeUInt16BE(credentialId.length);
      const attested = Buffer.concat([Buffer.alloc(16), length, credentialId, cosePublicKey()]);
      const data = authenticatorData(forgery, attested);
      const size = Buffer.alloc(2);
      size.writeUInt16BE(data.length);
      const { type = 'webauthn.create', origin, format = 'none' } = forgery;
      // {"fmt": format, "attStmt": {}, "authData": data}, in CBOR.
      const attestation = Buffer.concat([
        Buffer.from('a363666d74', 'hex'),
        Buffer.from([0x60 + format.length]),
        Buffer.from(format),
        Buffer.from('6761747453746d74a0686175746844617461', 'hex'),
        Buffer.from('59', 'hex'),
        size,
        data,
      ]);
      return {
        clientDataJSON: clientData(type, started.challenge, origin).toString('base64url'),
        attestationObject: attestation.toString('base64url'),
        transports: ['internal'],
      };
    },
    sign(challenge: string, forgery: Forgery = {}): PasskeyProof {
      counter++;
      const { type = 'webauthn.get', origin } = forgery;
      const client = clientData(type, challenge, origin);
      const data = authenticatorData(forgery);
      return {
        id: credentialId.toString('base64url'),
        clientDataJSON: client.toString('base64url'),
        authenticatorData: data.toString('base64url'),
        signature: sign('sha256', Buffer.concat([data, sha256(client)]), privateKey).toString('base64url'),
        userHandle: forgery.userHandle ?? userHandle,
      };
    },
  };
}

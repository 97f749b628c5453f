import { createDecipheriv, createECDH, createPublicKey, type ECDH, hkdfSync, randomBytes, verify } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

export interface ReceivedPush {
  device: string;
  headers: IncomingHttpHeaders;
  /** The claims of the VAPID token, after its signature was verified. */
  claims: { aud: string; exp: number; sub: string };
  /** The VAPID key that signed it. */
  key: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests read messages of every type
  message: any;
}

interface Device {
  keys: ECDH;
  auth: Buffer;
}

/**
 * A browser and its push service: makes subscriptions, and verifies and decrypts what is sent to them (RFC 8030, 8188,
 * 8291, 8292). Written from the receiver's side, without the code under test.
 */
export async function startFakePushService() {
  const devices = new Map<string, Device>();
  const received: ReceivedPush[] = [];
  const faults: string[] = [];
  let answers: number[] = [];
  let attempts = 0;

  const server = createServer((request, response) => void receive(request, response));
  async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    attempts++;
    const device = request.url?.slice('/push/'.length) ?? '';
    const status = answers.shift() ?? (devices.has(device) ? 201 : 410);
    const body = await buffer(request);
    if (status === 201) {
      try {
        received.push({ device, headers: request.headers, ...open(device, request.headers, body) });
      } catch (error) {
        faults.push((error as Error).message);
      }
    }
    response.writeHead(status).end();
  }
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  function open(name: string, headers: IncomingHttpHeaders, body: Buffer) {
    const [, token = '', key = ''] = /^vapid t=([\w.-]+), ?k=([\w-]+)$/.exec(headers.authorization ?? '') ?? [];
    const [header = '', claims = '', signature = ''] = token.split('.');
    const point = Buffer.from(key, 'base64url');
    const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) => part.toString('base64url'));
    const publicKey = createPublicKey({ key: { kty: 'EC', crv: 'P-256', x, y } as never, format: 'jwk' });
    const signer = { key: publicKey, dsaEncoding: 'ieee-p1363' } as const;
    const parse = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString());
    if (parse(header).alg !== 'ES256') throw new Error('not ES256');
    if (!verify('sha256', Buffer.from(`${header}.${claims}`), signer, Buffer.from(signature, 'base64url')))
      throw new Error('wrong signature');
    const text = decrypt(devices.get(name) as Device, body);
    return { key, claims: parse(claims), message: JSON.parse(text) };
  }

  return {
    origin,
    received,
    /** Why a message could not be verified or decrypted. */
    faults,
    attempts: () => attempts,
    /** Used in order; afterwards messages to known devices are accepted. */
    answerWith(...statuses: number[]) {
      answers = statuses;
    },
    /** As `PushSubscription.toJSON()`. */
    subscribe() {
      const name = randomBytes(12).toString('hex');
      const keys = createECDH('prime256v1');
      keys.generateKeys();
      const auth = randomBytes(16);
      devices.set(name, { keys, auth });
      const encoded = { p256dh: keys.getPublicKey().toString('base64url'), auth: auth.toString('base64url') };
      return { name, endpoint: `${origin}/push/${name}`, keys: encoded };
    },
    unsubscribe: (name: string) => devices.delete(name),
    stop: () => new Promise<void>((closed) => server.close(() => closed())),
  };
}

export type FakePushService = Awaited<ReturnType<typeof startFakePushService>>;

/** The receiver's side of RFC 8291. */
export function decrypt({ keys, auth }: Device, body: Buffer): string {
  const salt = body.subarray(0, 16);
  const idLength = body.readUInt8(20);
  const [sender, sealed] = [body.subarray(21, 21 + idLength), body.subarray(21 + idLength)];
  if (body.readUInt32BE(16) < sealed.length) throw new Error('more than one record');
  const derive = (secret: Buffer, salted: Buffer, info: Buffer, bytes: number) =>
    Buffer.from(hkdfSync('sha256', secret, salted, info, bytes));
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), keys.getPublicKey(), sender]);
  const secret = derive(keys.computeSecret(sender), auth, info, 32);
  const key = derive(secret, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16);
  const nonce = derive(secret, salt, Buffer.from('Content-Encoding: nonce\0'), 12);
  const decipher = createDecipheriv('aes-128-gcm', key, nonce).setAuthTag(sealed.subarray(-16));
  const plain = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()]);
  const end = plain.lastIndexOf(2);
  if (plain.subarray(end + 1).some((byte) => byte !== 0)) throw new Error('no delimiter');
  return plain.subarray(0, end).toString();
}

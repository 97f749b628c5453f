import { expect, test } from 'vitest';
import { signedHeaders } from './signature.ts';

test('the signature is the HMAC of timestamp, dot and body, as any other tool computes it', () => {
  const body = Buffer.from('{"event":"shipping.created","é":"👍"}');
  const headers = signedHeaders('s3cret', 'shipping.created', new Date('2026-01-02T03:04:05.678Z'), body);
  // printf '%s' '2026-01-02T03:04:05.678Z.{"event":"shipping.created","é":"👍"}' | openssl dgst -sha256 -hmac s3cret
  expect(headers).toMatchObject({
    'X-Service-Event': 'shipping.created',
    'X-Service-Timestamp': '2026-01-02T03:04:05.678Z',
    'X-Service-Signature': 'sha256=b724206b62d72de87e429b4bfeb678ddd5be438f180e84f0d56fe889b84354a4',
  });
});

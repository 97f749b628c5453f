import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { readGuide } from '../../../test/guide.ts';
import { signedHeaders } from './signature.ts';

const { snippet } = readGuide('docs/webhooks.md');

const folder = mkdtempSync(join(tmpdir(), 'navette-guide-'));
afterAll(() => rmSync(folder, { recursive: true }));
const write = (name: string, text: string | Buffer) => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};

const secret = 'navette_whsec_é';
const body = Buffer.from('{"event":"shipping.created","data":{"recipientName":"Zoé 👍"}}');
const sent = signedHeaders(secret, 'shipping.created', new Date(), body);
const timestamp = sent['X-Service-Timestamp'] as string;
const signature = sent['X-Service-Signature'] as string;

describe('the snippets of docs/webhooks.md', () => {
  test('TypeScript accepts our signature and rejects any other', async () => {
    const { isFromNavette } = await import(pathToFileURL(write('verify.mts', snippet('ts', 'isFromNavette'))).href);
    const headers = { 'x-service-signature': signature, 'x-service-timestamp': timestamp };
    expect(isFromNavette(secret, headers, body)).toBe(true);
    expect(isFromNavette('another', headers, body)).toBe(false);
    expect(isFromNavette(secret, headers, Buffer.concat([body, Buffer.from(' ')]))).toBe(false);
    expect(isFromNavette(secret, { ...headers, 'x-service-timestamp': '2026-01-01T00:00:00.000Z' }, body)).toBe(false);
    expect(isFromNavette(secret, {}, body)).toBe(false);
  });

  test('PHP accepts our signature and rejects any other', () => {
    const file = write('body.json', body);
    const verify = write('verify.php', `<?php\n${snippet('php', 'is_from_navette')}`);
    const call = `require $argv[1]; $b = file_get_contents($argv[5]); [$s, $t, $g] = array_slice($argv, 2, 3);
      echo json_encode([is_from_navette($s, $t, $g, $b), is_from_navette('another', $t, $g, $b), is_from_navette($s, $t, $g, $b . ' ')]);`;
    const printed = execFileSync('php', ['-r', call, '--', verify, secret, timestamp, signature, file], {
      encoding: 'utf8',
    });
    expect(printed.trim()).toBe('[true,false,false]');
  });

  test('Python accepts our signature and rejects any other', () => {
    write('verify.py', snippet('python', 'is_from_navette'));
    const file = write('body.json', body);
    const call = `from verify import is_from_navette as v; import sys; b = open(sys.argv[4], "rb").read(); print(v(*sys.argv[1:4], b), v("another", *sys.argv[2:4], b), v(*sys.argv[1:4], b + b" "))`;
    const printed = execFileSync('python3', ['-c', call, secret, timestamp, signature, file], {
      cwd: folder,
      encoding: 'utf8',
    });
    expect(printed.trim()).toBe('True False False');
  });

  test('the shell computes the signature that we send', () => {
    write('body.json', body);
    const printed = execFileSync(
      'bash',
      ['-c', `timestamp=$1 secret=$2; ${snippet('bash', 'openssl')}`, 'bash', timestamp, secret],
      {
        cwd: folder,
        encoding: 'utf8',
      },
    );
    expect(`sha256=${printed.trim().split(' ').pop()}`).toBe(signature);
  });
});

import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { readConfig } from '../src/config.ts';

test.each(['databaseUrl', 'redisUrl'] as const)('a unit test cannot reach the engine that %s names', async (name) => {
  const { hostname, port } = new URL(readConfig()[name]);
  const socket = connect(Number(port), hostname);
  await expect(once(socket, 'connect')).rejects.toThrow('ECONNREFUSED');
});

test('a test that replaces a module runs in a process of its own', () => {
  const replacing = execFileSync('git', ['grep', '-lE', '^vi\\.mock\\(', '--', '*.test.ts'], { encoding: 'utf8' });
  expect(
    replacing
      .trim()
      .split('\n')
      .filter((file) => !/\.(mocked|faults|browser|long)\.test\.ts$/.test(file)),
  ).toEqual([]);
});

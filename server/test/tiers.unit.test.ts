import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { readConfig } from '../src/config.ts';

test.each(['databaseUrl', 'redisUrl'] as const)('a unit test cannot reach the engine that %s names', async (name) => {
  const { hostname, port } = new URL(readConfig()[name]);
  const socket = connect(Number(port), hostname);
  await expect(once(socket, 'connect')).rejects.toThrow('ECONNREFUSED');
});

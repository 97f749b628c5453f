import { describe, expect, test } from 'vitest';
import { ConfigError, readConfig } from './config.ts';

describe('secrets', () => {
  test('a service reached by https does not start with those that everybody knows', () => {
    expect(() => readConfig({ PUBLIC_URL: 'https://navette.example' })).toThrow(ConfigError);
    expect(() => readConfig({ PUBLIC_URL: 'https://navette.example' })).toThrow(/LINK_SECRETS must be set/);
    expect(() => readConfig({ PUBLIC_URL: 'http://127.0.0.1:3000' })).not.toThrow();
  });

  test('short ones are refused, and several keep their order', () => {
    expect(() => readConfig({ LINK_SECRETS: 'short' })).toThrow(/32 characters/);
    const [fresh, old] = ['n'.repeat(32), 'o'.repeat(32)];
    expect(readConfig({ LINK_SECRETS: `${fresh}, ${old}` }).linkSecrets).toEqual([fresh, old]);
  });
});

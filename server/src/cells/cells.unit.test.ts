import { cellOfToken, isCellTag, socketQueryOf } from '@navette/contract';
import { afterEach, describe, expect, test } from 'vitest';
import { isReferenceNumber, newReferenceNumber } from '../features/shipments/reference-number.ts';
import { newSecretToken } from '../secrets/secret-token.ts';
import { ALPHABET } from '../text/check-character.ts';
import type { Cell } from './directory.ts';
import { renderMaps, renderRouter } from './render-router.ts';
import { fingerprintSharedKeys } from './shared-keys.ts';
import { setThisCell } from './this-cell.ts';

afterEach(() => setThisCell(null));

describe('tokens and references', () => {
  test('contain the cell, and differ from those without one', () => {
    for (let i = 0; i < 500; i++) {
      setThisCell(null);
      const [oldToken, oldReference] = [newSecretToken('key'), newReferenceNumber()];
      setThisCell('Q3');
      const [token, reference] = [newSecretToken('test'), newReferenceNumber()];
      expect(oldToken).toMatch(/^navette_key_[0-9A-Za-z]{43}$/);
      expect(token).toMatch(/^navette_test_Q3_[0-9A-Za-z]{43}$/);
      expect([cellOfToken(oldToken), cellOfToken(token)]).toEqual([null, 'Q3']);
      expect([oldReference.length, reference.length, reference.slice(0, 2)]).toEqual([10, 11, 'Q3']);
      expect([oldReference, reference].map(isReferenceNumber)).toEqual([true, true]);
    }
  });

  test('a mistyped cell is noticed by the check character', () => {
    setThisCell('Q3');
    const reference = newReferenceNumber();
    const mistyped = ALPHABET.replace('Q', '')
      .split('')
      .map((character) => character + reference.slice(1));
    expect(mistyped.filter(isReferenceNumber)).toEqual([]);
  });

  test('a tag is any two characters of the alphabet of references, and no others', () => {
    for (const character of ALPHABET) expect(isCellTag(`${character}2`)).toBe(true);
    for (const tag of ['', 'P', 'P22', 'p2', 'O2', '12', 'P_', 'P2\n'])
      expect([tag, isCellTag(tag)]).toEqual([tag, false]);
  });

  test.each(['', 'navette_key_', 'navette_key_P2_', 'navette_P2_x', 'x navette_key_P2_abc', 'navette_key_P2_a_b'])(
    '%s names no cell',
    (token) => {
      expect(cellOfToken(token)).toBeNull();
      expect(socketQueryOf(token)).toEqual({});
    },
  );

  test('the address of a socket names the cell of its token', () => {
    expect(socketQueryOf('navette_driver_P2_abc')).toEqual({ cell: 'P2' });
  });
});

const cell = (tag: string, address: string, isFirst = false): Cell => ({
  ...{ tag, address, isFirst },
  state: 'open',
  keysFingerprint: '',
});

describe('the router', () => {
  test('has a server per cell, and verifies the certificate of one with TLS', () => {
    const cells = [cell('P2', 'http://127.0.0.1:4101', true), cell('Q3', 'https://q3.navette.example')];
    const { 'haproxy.cfg': configuration } = renderRouter(cells, [], { directory: '/etc/x', bind: '*:80' });
    expect(configuration).toContain('backend cell-P2');
    expect(configuration.match(/server P2 127\.0\.0\.1:4101$/gm)).toHaveLength(2);
    expect(configuration).toMatch(
      /server Q3 q3\.navette\.example:443 ssl verify required .*sni str\(q3\.navette\.example\)/,
    );
    expect(configuration).toContain('use_backend cell-P2 if { var(txn.token) -m found }');
  });

  test('lists the tokens of moved accounts by hash', () => {
    const moved = [{ hash: 'ab01', cell: 'Q3' }];
    expect(renderMaps([cell('P2', 'http://127.0.0.1:1', true)], moved)).toEqual({
      'cells.map': 'P2 cell-P2\n',
      'moved.map': 'AB01 cell-Q3\n',
    });
  });

  test('needs a cell', () => {
    expect(() => renderRouter([], [], { directory: '/etc/x', bind: '*:80' })).toThrow('navette cell add');
  });
});

test('the fingerprint of shared secrets ignores their order and notices any other', () => {
  const secrets = { linkSecrets: ['a', 'b'], webhookSecretKeys: ['c'], secondFactorKeys: ['d'] };
  const same = fingerprintSharedKeys({ ...secrets, linkSecrets: ['b', 'a'] });
  expect(fingerprintSharedKeys(secrets)).toBe(same);
  for (const name of Object.keys(secrets)) {
    expect(fingerprintSharedKeys({ ...secrets, [name]: ['z'] })).not.toBe(same);
  }
});

import { describe, expect, test } from 'vitest';
import { isGuessable } from './guessable-password.ts';

const ABOUT = ['zoe.martin@atelier.example', 'Zoé Martin', 'Atelier Zoé'];

describe('a guessable password', () => {
  test.each([
    ...['aaaaaaaaaaaa', 'password1234', 'P@ssw0rd1234', 'motdepasse123', 'azertyuiop12', 'qwertyuiop12'],
    ...['abcdefghijkl', '123456789012', '111122223333', 'abcabcabcabc', 'bonjourbonjour', 'chocolat123456'],
    ...[
      'zoe.martin@atelier.example',
      'zoemartin2026',
      'AtelierZoe2024',
      'atelierzoé!!',
      'martinmartin',
      'navette-navette',
    ],
  ])('%s is guessable', async (password) => expect(await isGuessable(password, ABOUT)).toBe(true));

  test.each([
    ...[
      'cheval correct agrafe',
      'une phrase que je retiens',
      'route du rhum 2026',
      'Xk3mQ9vB2nLp',
      'je t’aime mon chat',
    ],
    ...['correct horse battery staple', 'zoe a trois chats roux', '日本の電車は速いです本当', 'aaa7Kq!mZ2#vR9'],
  ])('%s is not guessable', async (password) => expect(await isGuessable(password, ABOUT)).toBe(false));

  test('is detected as fast in a text that was crafted to be slow', async () => {
    const texts = ['p4$$w0rd1', '4@8({[<369&#!1/|0$5+7%2', '19/02/1999', 'qwerty12345'].map((text) =>
      text.repeat(40).slice(0, 200),
    );
    await isGuessable('loads the list', ABOUT);
    const { user, system } = process.cpuUsage();
    for (const text of texts) await isGuessable(text, ABOUT);
    const used = process.cpuUsage({ user, system });
    expect((used.user + used.system) / 1_000 / texts.length).toBeLessThan(100); // 6 ms on an idle machine, 500 ms without the bounds
  });
});

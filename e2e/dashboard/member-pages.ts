import type { Page } from 'playwright-core';
import { inviteAsOperator } from '../../server/src/features/members/index.ts';
import { codeOf, createTestMember, TEST_PASSWORD } from '../../server/test/dashboard.ts';
import type { DashboardPage } from './pages.ts';
import type { World } from './world.ts';

const nobody = () => null;

async function invitationLink({ stage: { server }, shop }: World): Promise<string> {
  const wanted = { email: 'lea@example.org', role: 'operations', language: 'fr' } as const;
  const invited = await inviteAsOperator(server.db, shop.id, wanted, server.url);
  return `/invitation#${invited?.link.split('#')[1]}`;
}

async function fillTeam({ stage: { server }, shop, owner }: World): Promise<string> {
  const people = [
    ['developer', 'Jean-Baptiste Le Guen'],
    ['operations', 'Aïcha Diallo'],
    ['read-only', 'Camille Durand'],
  ] as const;
  for (const [role, name] of people) await createTestMember(server, shop.id, role, { name });
  await owner.call('inviteMember', { body: { email: 'yanis.ben-youssef@example.org', role: 'operations' } });
  return '/team';
}

const WITH_SECOND_FACTOR = 'second-factor@example.org';

async function memberWithSecondFactor({ stage: { server }, shop }: World): Promise<string> {
  const { call } = await createTestMember(server, shop.id, 'developer', { email: WITH_SECOND_FACTOR });
  const { body } = await call('startSecondFactor', { body: { password: TEST_PASSWORD } });
  await call('confirmSecondFactor', { body: { code: codeOf(body.secret) } });
  return '/sign-in';
}

async function typePassword(page: Page): Promise<void> {
  await page.locator('input[inputmode=email]').fill(WITH_SECOND_FACTOR);
  await page.locator('input[type=password]').fill(TEST_PASSWORD);
  await page.locator('button[type=submit]').click();
  await page.locator('input[autocomplete=one-time-code]').waitFor();
}

/** Up to the QR code. */
async function beginSecondFactor(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^(Activer|Turn on)$/ }).click();
  await page.getByRole('dialog').locator('input[type=password]').fill(TEST_PASSWORD);
  await page.getByRole('dialog').locator('button[type=submit]').click();
  await page.locator('svg[role=img]').waitFor();
}

async function openInvite(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^(Inviter|Invite)$/ }).click();
  await page.getByRole('dialog').locator('input[inputmode=email]').waitFor();
}

/** Pages of sign-in, profile and team. */
export const MEMBER_PAGES: DashboardPage[] = [
  { name: 'sign-in-code', path: memberWithSecondFactor, as: nobody, act: typePassword },
  { name: 'forgotten-password', path: () => '/forgotten-password', as: nobody },
  { name: 'reset', path: () => '/reset#navette_reset_x', as: nobody },
  { name: 'invitation', path: invitationLink, as: nobody },
  { name: 'invitation-gone', path: () => '/invitation#navette_invitation_x', as: nobody },
  { name: 'team', path: fillTeam },
  { name: 'team-invite', path: () => '/team', act: openInvite },
  { name: 'profile', path: () => '/profile' },
  { name: 'profile-second-factor', path: () => '/profile', act: beginSecondFactor },
];

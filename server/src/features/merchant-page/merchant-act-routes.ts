import type { FastifyInstance } from 'fastify';
import { bindConsole } from '../../http/bind-console.ts';
import type { RateLimiter } from '../../http/rate-limiter.ts';
import type { SignedInStaff } from '../../http/staff-authentication.ts';
import { refuseAsTooMany } from '../../refusals/refusal.ts';
import {
  inviteMerchantMember,
  removeMerchantMember,
  resetMemberSecondFactor,
  revokeMerchantKey,
} from './change-members.ts';
import { type ChangeContext, changeMerchant, closeMerchant, createMerchant, slotsOf } from './change-merchant.ts';
import { listAnyMerchants } from './list-merchants.ts';

export interface MerchantActOptions extends Omit<ChangeContext, 'staff' | 'now'> {
  rateLimiter: RateLimiter;
  now: () => Date;
}

const INVITATIONS_PER_PERSON = { minute: 50, hour: 200, day: 500 }; // mails to arbitrary addresses

/** Acts of staff on merchants, with the use cases of the command line. */
export function serveMerchantActs(app: FastifyInstance, { rateLimiter, now, ...services }: MerchantActOptions): void {
  const contextFor = (staff: SignedInStaff): ChangeContext => ({ ...services, staff, now: now() });
  const countInvitation = async ({ staffId }: SignedInStaff) => {
    const { exhausted } = await rateLimiter.take(`merchant-invitations:${staffId}`, INVITATIONS_PER_PERSON);
    if (exhausted) refuseAsTooMany(exhausted);
  };

  bindConsole(app, 'listMerchants', async ({ query, answer }) =>
    answer(200, { success: true, ...(await listAnyMerchants(services.db, query.cursor)) }),
  );

  bindConsole(app, 'createMerchant', async ({ staff, body, answer }) => {
    if (body.owner) await countInvitation(staff);
    return answer(201, { success: true, ...(await createMerchant(contextFor(staff), body)) });
  });

  bindConsole(app, 'updateMerchantSettings', async ({ staff, params, body, answer }) => {
    const { timeSlots, ...settings } = body.settings;
    const input = { ...settings, ...slotsOf(timeSlots) };
    await changeMerchant(contextFor(staff), 'support', params.id, { ...body, input });
    return answer(200, { success: true });
  });

  bindConsole(app, 'updateMerchantTerms', async ({ staff, params, body, answer }) => {
    await changeMerchant(contextFor(staff), 'money', params.id, { ...body, input: body.terms });
    return answer(200, { success: true });
  });

  bindConsole(app, 'closeMerchant', async ({ staff, params, body, answer }) => {
    await closeMerchant(contextFor(staff), params.id, body);
    return answer(200, { success: true });
  });

  bindConsole(app, 'inviteMerchantMember', async ({ staff, params, body, answer }) => {
    await countInvitation(staff);
    await inviteMerchantMember(contextFor(staff), params.id, body);
    return answer(201, { success: true });
  });

  bindConsole(app, 'removeMerchantMember', async ({ staff, params, body, answer }) => {
    await removeMerchantMember(contextFor(staff), { accountId: params.id, memberId: params.memberId, ...body });
    return answer(200, { success: true });
  });

  bindConsole(app, 'resetMemberSecondFactor', async ({ staff, params, body, answer }) => {
    await resetMemberSecondFactor(contextFor(staff), { accountId: params.id, memberId: params.memberId, ...body });
    return answer(200, { success: true });
  });

  bindConsole(app, 'revokeMerchantKey', async ({ staff, params, body, answer }) => {
    await revokeMerchantKey(contextFor(staff), params.id, body.reason);
    return answer(200, { success: true });
  });
}

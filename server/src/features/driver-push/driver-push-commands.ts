import { DRIVER_ENDPOINTS } from '@navette/contract';
import type { FastifyInstance } from 'fastify';
import { createTargetRules } from '../../adapters/endpoint/target-rules.ts';
import type { Config } from '../../config.ts';
import type { Database } from '../../database/database.ts';
import { bindDriver } from '../../http/bind-driver.ts';
import { refuseDriver } from '../../refusals/driver-refusal.ts';
import { removeSubscription, saveSubscription } from './push-subscriptions.ts';

export interface DriverPushOptions {
  db: Database;
  config: Pick<Config, 'push' | 'webhookAllowedNetworks'>;
  now: () => Date;
}

/** The driver API's commands on push subscriptions. */
export function serveDriverPush(app: FastifyInstance, { db, config, now }: DriverPushOptions): void {
  const rules = createTargetRules(config.webhookAllowedNetworks);

  bindDriver(app, DRIVER_ENDPOINTS.savePushSubscription, async ({ driver, body, answer }) => {
    if (config.push.privateKey === null) refuseDriver('PUSH_REFUSED');
    await saveSubscription(db, driver, body, rules, now());
    return answer(200, { success: true });
  });

  bindDriver(app, DRIVER_ENDPOINTS.removePushSubscription, async ({ driver, answer }) => {
    await removeSubscription(db, driver);
    return answer(200, { success: true });
  });
}

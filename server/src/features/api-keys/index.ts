import { ENDPOINTS } from '@navette/contract';
import type { FastifyInstance } from 'fastify';
import { bind } from '../../http/bind.ts';

export { serveKeysToDashboard } from './api-keys-dashboard-routes.ts';
export { authorizeKey } from './authorize-key.ts';
export { createKeyFinder } from './key-finder.ts';
export { createKey, findAnyKeys, listKeys, nameKeys, narrowKey, revokeAnyKey } from './manage-keys.ts';
export { toStored as readNarrowing } from './narrowing.ts';
export { createKeyUseRecorder } from './record-key-use.ts';

export function serveApiKeys(app: FastifyInstance): void {
  bind(app, ENDPOINTS.testCredentials, ({ caller, answer }) =>
    answer(200, {
      success: true,
      professional: { _id: caller.accountId, name: caller.accountName, clientId: caller.clientId },
      apiKey: {
        name: caller.key.name,
        scopes: [...caller.key.scopes],
        expiresAt: caller.key.expiresAt?.toISOString() ?? null,
      },
    }),
  );
}

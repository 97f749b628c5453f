import { DRIVER_ENDPOINTS } from '@navette/contract';
import type { FastifyInstance } from 'fastify';
import { bindConsole } from '../../http/bind-console.ts';
import { bindDashboard } from '../../http/bind-dashboard.ts';
import { bindDriver } from '../../http/bind-driver.ts';
import { refuseAsNotFound } from '../../refusals/dashboard-refusal.ts';
import { refuseAsUnknownRun } from '../../refusals/driver-refusal.ts';
import { readCommand } from '../drivers/index.ts';
import { addProof, type ProofContext } from './add-proof.ts';
import { type ProofFile, readAnyProof, readOwnProof, readProof } from './read-proofs.ts';

/** Never cached: the permission is checked at every read. Not a page: a browser must not run anything in it. */
const headersOf = ({ contentType }: ProofFile) => ({
  'content-type': contentType,
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; sandbox",
});

export function serveDriverProofs(app: FastifyInstance, { now, ...context }: ProofContext & { now: () => Date }): void {
  bindDriver(app, DRIVER_ENDPOINTS.addProof, async ({ driver, params, body, answer }) => {
    const command = readCommand('addProof', driver.driverId, body, now());
    const proof = await addProof(context, command, params.id, body);
    return answer(201, { success: true, proof });
  });

  bindDriver(app, DRIVER_ENDPOINTS.readProof, async ({ driver, params, answerWith }) => {
    const file = await readOwnProof(context.db, context.proofStore, driver.driverId, params.id, now());
    return file ? answerWith(200, headersOf(file), file.bytes) : refuseAsUnknownRun();
  });
}

export function serveDashboardProofs(app: FastifyInstance, { db, proofStore }: ProofContext): void {
  bindDashboard(app, 'readProof', async ({ member, params, answerWith }) => {
    const file = await readProof(db, proofStore, member.accountId, params.id);
    return file ? answerWith(200, headersOf(file), file.bytes) : refuseAsNotFound();
  });
}

export function serveConsoleProofs(app: FastifyInstance, { db, proofStore }: ProofContext): void {
  bindConsole(app, 'readConsoleProof', async ({ params, answerWith }) => {
    const file = await readAnyProof(db, proofStore, params.id);
    return file ? answerWith(200, headersOf(file), file.bytes) : refuseAsNotFound();
  });
}

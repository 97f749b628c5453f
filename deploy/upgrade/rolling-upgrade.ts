/**
 * `npm run upgrade:rolling -- --from DIR`: replaces the processes of another checkout by those of this one under load,
 * after `navette migrate`, and back again. Nobody who retries with an idempotency key may notice.
 */
import { resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { BASE_PATH } from '../../contract/src/index.ts';
import { createPool } from '../../server/src/database/database.ts';
import { callApi } from '../../server/test/call-api.ts';
import { startWebhookReceiver } from '../../server/test/webhook-receiver.ts';
import { startLoad } from '../cluster/load.ts';
import { startBalancer } from './balancer.ts';
import { countSilent, describeTimes, openReleases, type Process, report } from './releases.ts';

const { values } = parseArgs({
  options: {
    from: { type: 'string' },
    seconds: { type: 'string', default: '90' },
    rate: { type: 'string', default: '50' },
  },
});
if (!values.from) {
  console.log(
    'Usage: npm run upgrade:rolling -- --from DIR [--seconds 90] [--rate 50]\n\nDIR: a checkout of the release before, with its packages installed.',
  );
  process.exit(2);
}
const [older, newer] = [resolve(values.from), resolve(import.meta.dirname, '../..')];
const AUDITED_WITHIN_SECONDS = 420; // resume-messages runs every five minutes in older releases

const releases = await openReleases('upgrade');
const { navette, start, stop } = releases;
const balancer = await startBalancer();
const receiver = await startWebhookReceiver();
const problems: string[] = [];
try {
  await navette(older, ['migrate']);
  const merchants = await releases.createMerchants(older, 4);
  let apis = [await start(older, 'api'), await start(older, 'api')];
  let worker = await start(older, 'worker');
  balancer.use(apis.map(({ port }) => port));
  for (const [i, merchant] of merchants.entries()) {
    const webhook = { url: `${receiver.url}/${i}`, events: ['shipping.created'] };
    await callApi(`${balancer.url}${BASE_PATH}/webhooks`, merchant, 'POST', { body: webhook });
  }

  /** One process after the other: the new one serves before the old one stops. */
  const replaceAll = async (checkout: string, title: string) => {
    const replace = async (old: Process, role: 'api' | 'worker') => {
      const next = await start(checkout, role);
      if (role === 'api') {
        apis = apis.map((api) => (api === old ? next : api));
        balancer.use(apis.map(({ port }) => port));
      }
      const code = await stop(old);
      if (code !== 0) problems.push(`${title}: a process ended with ${code}`);
      return next;
    };
    for (const api of [...apis]) await replace(api, 'api');
    worker = await replace(worker, 'worker');
    console.log(`${title}: done at ${((performance.now() - began) / 1000).toFixed(0)} s`);
  };

  /** Messages of a kind that the older release does not know wait until the newer one gives them a job again. */
  async function untilAuditPasses(): Promise<void> {
    const since = performance.now();
    for (;;) {
      const failure = await navette(newer, ['audit']).catch((error: { stderr: string }) => error);
      const seconds = (performance.now() - since) / 1000;
      if (typeof failure === 'string') return console.log(`audit: passed after ${seconds.toFixed(0)} s`);
      if (seconds > AUDITED_WITHIN_SECONDS) throw failure;
      await setTimeout(5_000);
    }
  }

  const load = startLoad(balancer.url, merchants, Number(values.rate), Number(values.seconds));
  const began = performance.now();
  await setTimeout(5_000);
  const migrating = performance.now();
  await navette(newer, ['migrate']);
  console.log(`migrate: ${((performance.now() - migrating) / 1000).toFixed(1)} s, the older release serves meanwhile`);
  await replaceAll(newer, 'upgrade');
  await setTimeout(3_000);
  await replaceAll(older, 'downgrade of the processes, on the newer schema');
  await setTimeout(3_000);
  await replaceAll(newer, 'upgrade again');
  await load.done;

  const expected = new Set(load.orders.map(({ id }) => id as string));
  const silent = await countSilent(load.orders, receiver.received);
  if (silent > 0) problems.push(`${silent} webhooks did not arrive`);

  const client = createPool({ databaseUrl: releases.databaseUrl, size: 1 });
  const { rows } = await client.query(
    `select (select count(*)::int from shipments) as shipments, (select count(*)::int from shipments where id = any($1)) as answered,
            (select count(*)::int from ledger_entries where kind = 'charge') as charges`,
    [[...expected]],
  );
  await client.end();
  const { shipments, answered, charges } = rows[0] as Record<string, number>;
  if (new Set([shipments, answered, charges, expected.size]).size > 1) {
    problems.push(
      `${expected.size} acknowledged, ${answered} of them stored, ${shipments} stored in all, ${charges} charges`,
    );
  }
  await untilAuditPasses().catch((error: { stderr: string }) => problems.push(`audit: ${error.stderr}`));

  const failed = load.orders.flatMap(({ failures }) => failures);
  console.log(
    `${load.orders.length} creations: ${describeTimes(load.orders.map(({ ms = 0 }) => ms))}; ` +
      `${failed.length} tries failed and were repeated (${[...new Set(failed)].join(', ') || 'none'})`,
  );
} finally {
  balancer.stop();
  await receiver.stop();
  await releases.close();
}
await report(problems, releases);

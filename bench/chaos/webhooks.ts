import { runWebhookChaos } from '../../server/test/webhook-chaos.ts';

const KILL_EVERY_MS = 2_000;
const EVENTS_A_SECOND = 100;

/** Webhooks while workers are killed every two seconds, Redis is emptied and PostgreSQL crashes. */
export async function chaosWebhooks(events: number): Promise<boolean> {
  const kills = Math.ceil(events / EVENTS_A_SECOND / (KILL_EVERY_MS / 1_000));
  console.log(`\nwebhooks: ${events} events while three workers are killed in turn, ${kills} times, every 2 s`);
  const options = { events, accounts: 10, kills, killEveryMs: KILL_EVERY_MS, crashAfterKills: Math.ceil(kills / 2) };
  const report = await runWebhookChaos(options, (line) => console.log(`  ${line}`));
  const { missing, mostRequests, repeated, notDropped, pending, faults, settledAfterMs } = report;
  console.log(
    `  ${report.events} events to healthy endpoints: ${missing} missing, ${repeated} sent more than once, at most ${mostRequests} requests each, ${faults.length} faults`,
  );
  console.log(
    `  failing endpoint: ${notDropped} not dropped after three; all settled ${(settledAfterMs / 1000).toFixed(1)} s after the last kill, ${pending} pending`,
  );
  return missing + notDropped + pending + faults.length === 0 && mostRequests <= 3 && settledAfterMs < 60_000;
}

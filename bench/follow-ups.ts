import { once } from 'node:events';
import { startFakeMailbox } from '../server/test/fake-mailbox.ts';
import { startFakeTwilio } from '../server/test/fake-twilio.ts';
import { creations } from './load/merchant-requests.ts';
import { describeOldest, MOST_QUEUED_SECONDS, oldestJobDuring, untilDone } from './load/oldest-job.ts';
import { type LoadResult, wrk } from './load/tools.ts';
import { startWebhookSink } from './load/webhook-sink-process.ts';
import { type Stack, startStack, startWorker } from './stack.ts';
import { subscribeAll } from './webhooks.ts';

const MERCHANTS = 50;
const CONNECTIONS = 64;
const LIMIT_SECONDS = 10;
/** Of the creations that the api accepts without a worker. */
const SHARES = [0.03, 0.04, 0.05, 0.06, 0.07, 0.08, 0.1, 0.12, 0.15, 0.2, 0.3, 0.4, 0.6, 0.8];

/**
 * Creations at a steady rate, with all that follows one: a webhook, an SMS, an e-mail, search keys and the search for a
 * driver. The highest rate at which no job waits for more than two seconds, first for some seconds a step, then for long.
 */
export async function benchFollowUps(stepSeconds: number, longSeconds: number): Promise<void> {
  await using started = new AsyncDisposableStack();
  const twilio = started.adopt(await startFakeTwilio(), (fake) => fake.stop());
  const mailbox = started.adopt(await startFakeMailbox(), (fake) => fake.stop());
  const sink = started.adopt(await startWebhookSink(), ({ process: child }) => void child.kill());
  // No driver is near. By the default of a minute the searches of earlier steps would be repeated all the time, so their timers
  // are far away, and deleted after each step.
  const settings = { SMS_URL: twilio.url, MAIL_URL: mailbox.url, DISPATCH_RETRY_SECONDS: '86400' };
  const stack = started.adopt(await startStack(MERCHANTS, settings), (each) => each.stop());
  await subscribeAll(stack, () => `${sink.url}/ok`);

  // Plans for empty tables last until their first ANALYZE: no installation of any age has them.
  const first = await startWorker(stack);
  await wrk(stack.url, creations(stack.merchants), 2);
  await stack.sql('vacuum analyze');
  await untilDone(stack);
  await stack.sql('vacuum analyze');
  first.kill('SIGTERM');
  await once(first, 'exit');

  const limit = (await wrk(stack.url, creations(stack.merchants), LIMIT_SECONDS)).perSecond;
  console.log(`\nFollow-ups: ${Math.round(limit)} creations a second without a worker`);
  const waiting = Math.round(limit * LIMIT_SECONDS);
  started.adopt(await startWorker(stack), async (child) => {
    child.kill('SIGTERM');
    await once(child, 'exit');
  });
  const began = performance.now();
  await untilDone(stack);
  const doneSeconds = (performance.now() - began) / 1_000;
  console.log(`  ${waiting} had waited for a worker: ${Math.round(waiting / doneSeconds)} a second without creations`);
  await stack.sql('vacuum analyze');

  const kept: number[] = [];
  for (const share of SHARES) {
    if (!(await keepsUp(stack, limit * share, stepSeconds, limit))) break;
    kept.push(limit * share);
  }
  for (const wanted of kept.reverse()) {
    await untilDone(stack);
    if (await keepsUp(stack, wanted, longSeconds, limit)) return;
  }
  console.log(`  none of these rates holds for ${longSeconds} s`);
}

async function keepsUp(stack: Stack, perSecond: number, seconds: number, limit: number): Promise<boolean> {
  const { result, oldest } = await oldestJobDuring(stack, createAt(stack, perSecond, seconds));
  await stack.sql(`delete from pgboss.job where name = 'search-driver' and start_after > now() + interval '1 hour'`);
  console.log(
    `  ${Math.round(result.perSecond)} a second for ${seconds} s, ${(result.perSecond / limit).toFixed(2)} of the limit: ${describeOldest(oldest)}, p99 of a creation ${result.p99Ms.toFixed(0)} ms${result.failures ? `, ${result.failures} FAILURES` : ''}`,
  );
  return oldest.seconds <= MOST_QUEUED_SECONDS && result.failures === 0;
}

/** Each connection waits between its requests. */
function createAt({ url, merchants }: Stack, perSecond: number, seconds: number): Promise<LoadResult> {
  const pause = `\nfunction delay() return ${((CONNECTIONS / perSecond) * 1_000).toFixed(0)} end`;
  return wrk(url, creations(merchants) + pause, seconds, CONNECTIONS);
}

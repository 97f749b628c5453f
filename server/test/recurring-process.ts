/**
 * A process that a test kills: runs the job create-recurring over a simulated time, from one instant to another in steps of
 * some hours, and prints each instant that is done. The clock is all that differs from the worker.
 */
import { readConfig } from '../src/config.ts';
import { createAnyDue } from '../src/features/recurring/create-any-due.ts';
import { openRecurring } from './recurring.ts';

const [from = '', to = '', stepHours = ''] = process.argv.slice(2);
const end = Date.parse(to);
let at = Date.parse(from);
const context = await openRecurring(readConfig(), () => new Date(at));
for (; at <= end; at += Number(stepHours) * 3_600_000) {
  await createAnyDue(context, new Date(at));
  process.stdout.write(`${at}\n`);
}
await context.close();

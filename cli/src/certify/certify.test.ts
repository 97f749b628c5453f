import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  FAULTY,
  type Receiver,
  SECRET,
  serveFaultyReceiver,
  serveSdkReceiver,
} from '../../test/certified-receivers.ts';
import { runCli } from '../../test/run-cli.ts';
import { CHECKS } from './checks.ts';
import type { Report } from './report.ts';
import { runChecks } from './run-checks.ts';

async function certify(receiver: Receiver): Promise<Report> {
  const { webhook, processed } = receiver;
  try {
    return await runChecks({ url: new URL(webhook), secret: SECRET, processed }, () => {});
  } finally {
    await receiver.stop();
  }
}

const failedIn = ({ results }: Report) =>
  results.filter(({ outcome }) => outcome === 'failed').map(({ id, detail }) => ({ id, detail }));

describe('certify', () => {
  test.concurrent.each([
    ['with the SDK', serveSdkReceiver],
    ['by hand', () => serveFaultyReceiver()],
  ])('passes a correct receiver written %s', async (_how, start) => {
    const report = await certify(await start());
    expect(failedIn(report)).toEqual([]);
    expect(report).toMatchObject({ isCertified: true, counts: { passed: CHECKS.length, failed: 0, notJudged: 0 } });
  });

  test.concurrent.each(Object.entries(FAULTY))(
    'fails a receiver that %s, and names the fault',
    async (_what, { fault, fails }) => {
      const report = await certify(await serveFaultyReceiver(fault));
      const failed = failedIn(report);
      expect(
        failed.map(({ id }) => id),
        JSON.stringify(failed),
      ).toEqual(fails);
      expect(report.isCertified).toBe(false);
      // Checks that were not judged follow from one that did not pass.
      const left = report.results.filter(({ outcome }) => outcome !== 'passed').map(({ id }) => `follows from ${id}`);
      const skipped = report.results.filter(({ outcome }) => outcome === 'not judged');
      expect(skipped.filter(({ detail }) => !left.includes(detail ?? ''))).toEqual([]);
    },
  );

  test('has at least 20 checks, each with an id of its own and a remedy', () => {
    expect(CHECKS.length).toBeGreaterThanOrEqual(20);
    expect(new Set(CHECKS.map(({ id }) => id)).size).toBe(CHECKS.length);
    for (const { remedy } of CHECKS) expect(remedy).toMatch(/^[A-Z].{30,}\.$/s);
  });
});

describe('the command', () => {
  test('reports as text, JSON and one HTML file, with what to do; its exit code tells the outcome', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'navette-certify-'));
    const html = join(folder, 'report.html');
    const receiver = await serveFaultyReceiver({ isRecent: () => true });
    const good = await serveSdkReceiver();
    try {
      const args = ['certify', '--webhook', receiver.webhook.replace('http://', ''), '--html', html];
      const failed = await runCli(args, { NAVETTE_WEBHOOK_SECRET: SECRET });
      expect(failed.code).toBe(1);
      expect(failed.stdout).toMatch(/failed +refuses a correct signature of an hour ago .*\n +Refuse requests whose/);
      expect(failed.stdout).toContain('needs --processed');
      expect(failed.stdout).toMatch(new RegExp(`${CHECKS.length - 4} passed, 2 failed, 2 not judged$`));
      const page = await readFile(html, 'utf8');
      expect(page).toContain('Refuse requests whose X-Service-Timestamp');
      expect(page).not.toMatch(/<script|<link|src=|https?:\/\/(?!127\.0\.0\.1)/);
      const passed = await runCli(['certify', '--webhook', good.webhook, '--secret', SECRET, '--json']);
      expect(passed.code).toBe(0);
      expect(JSON.parse(passed.stdout)).toMatchObject({ isCertified: true, counts: { failed: 0, notJudged: 2 } });
    } finally {
      await receiver.stop();
      await good.stop();
      await rm(folder, { recursive: true });
    }
  });

  test('names the cause when nothing listens there, and refuses a wrong call', async () => {
    const { code, stdout } = await runCli(['certify', '--webhook', 'http://127.0.0.1:1', '--secret', SECRET]);
    expect([code, stdout]).toEqual([1, expect.stringContaining('ECONNREFUSED')]);
    expect((await runCli(['certify', '--webhook', 'localhost'])).code).toBe(2);
    expect((await runCli(['certify', '--secret', 'x'])).code).toBe(2);
    expect((await runCli(['certify', '--webhook', 'x', '--secret', 'x', '--processed', 'y'])).code).toBe(2);
  });
});

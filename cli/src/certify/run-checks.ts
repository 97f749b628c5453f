import { CHECKS, type Check } from './checks.ts';
import { createSession, type SessionOptions } from './receiver-session.ts';
import { type Report, type Result, toReport } from './report.ts';

/** Runs all checks in order. One that follows from a failed one is not judged, so the report names the fault itself. */
export async function runChecks(options: SessionOptions, onResult: (result: Result) => void): Promise<Report> {
  const session = createSession(options);
  const results: Result[] = [];
  for (const check of CHECKS) {
    const { id, title, remedy } = check;
    const result = { id, title, remedy, ...(await judge(check)) };
    results.push(result);
    onResult(result);
  }
  return toReport('webhook receiver', options.url.href, results);

  async function judge({ needs, needsProcessed, judge }: Check): Promise<Pick<Result, 'outcome' | 'detail'>> {
    const needed = results.find(({ id }) => id === needs);
    if (needed && needed.outcome !== 'passed') return { outcome: 'not judged', detail: `follows from ${needed.id}` };
    if (needsProcessed && !session.hasProcessed) return { outcome: 'not judged', detail: 'needs --processed' };
    const fault = await judge(session);
    return { outcome: fault === null ? 'passed' : 'failed', detail: fault };
  }
}

export interface Result {
  id: string;
  title: string;
  /** The correction to make when it fails. */
  remedy: string;
  outcome: 'passed' | 'failed' | 'not judged';
  /** The fault that was seen, or why it was not judged. */
  detail: string | null;
}

export interface Report {
  /** Such as "webhook receiver", and which one. */
  kind: string;
  target: string;
  at: string;
  isCertified: boolean;
  counts: Record<'passed' | 'failed' | 'notJudged', number>;
  results: Result[];
}

export function toReport(kind: string, target: string, results: Result[]): Report {
  const count = (outcome: Result['outcome']) => results.filter((result) => result.outcome === outcome).length;
  const counts = { passed: count('passed'), failed: count('failed'), notJudged: count('not judged') };
  return { kind, target, at: new Date().toISOString(), isCertified: counts.failed === 0, counts, results };
}

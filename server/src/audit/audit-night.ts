import type { Database } from '../database/database.ts';
import { type AuditSettings, auditInstallation } from './audit-everything.ts';
import type { AuditFinding } from './find-broken-rows.ts';
import { recordNight } from './record-audit.ts';
import { AUDIT_SOME, type SubjectKind } from './subjects.ts';
import { AUDITS_END, beginTurns, brokenOf, endTurns, failTurn, listTurns, type Turn, undoTurns } from './turns.ts';

/** No turn begins later than this after the first one. */
export const NIGHT_MS = 4 * 60_000;
const CHUNK_SUBJECTS = 200;
/** A larger subject is a chunk of its own. */
const CHUNK_ROWS = 50_000;
/** After so many failures the cause is not in single subjects. */
const MAX_FAILURES = 5;
/** Subjects that are audited every night until nothing is broken. Larger ones, and more of them, wait for their turn. */
const REPEATED = 20;

export interface Night {
  db: Database;
  settings: AuditSettings;
  /** Milliseconds that only increase. */
  clock?: () => number;
  /** Larger chunks send fewer statements per subject; smaller ones end closer to the limit of the night. */
  chunkSubjects?: number;
}

export interface NightResult {
  /** Subjects whose turn it was. */
  audited: number;
  findings: AuditFinding[];
  /** Audits that failed; the others went on. */
  failures: AuditFailure[];
}

export interface AuditFailure {
  kind: SubjectKind | 'installation';
  subject: string;
  error: unknown;
}

/**
 * Audits the installation, and then subjects in turn until the time is up. Interrupted anywhere, the next run goes on with
 * the subjects after those that had begun. docs/decisions/nightly-audit.md
 */
export async function auditNight({
  db,
  settings,
  clock = () => performance.now(),
  chunkSubjects = CHUNK_SUBJECTS,
}: Night): Promise<NightResult> {
  const started = clock();
  const failures: AuditFailure[] = [];
  const ofInstallation = await auditInstallation(db, settings, new Date()).catch((error: unknown) => {
    failures.push({ kind: 'installation', subject: '', error });
    return [{ invariant: AUDITS_END, broken: 1, examples: [] }];
  });
  const findings = [...ofInstallation];
  let audited = 0;
  const until = clock() + NIGHT_MS;
  let queue = inOrder(await listTurns(db));
  while (queue.length > 0 && clock() < until && failures.length < MAX_FAILURES) {
    const chunk = takeChunk(queue, chunkSubjects);
    queue = queue.slice(chunk.length);
    const result = await auditChunk(db, chunk, settings);
    audited += result.audited;
    findings.push(...result.findings);
    failures.push(...result.failures);
  }
  await recordNight(db, ofInstallation, (clock() - started) / 1_000);
  return { audited, findings, failures };
}

/** Repaired rows should not be reported until the next turn of their subject. */
function inOrder(turns: Turn[]): Turn[] {
  const isRepeated = ({ isBroken, wasInterrupted, size }: Turn) => isBroken && !wasInterrupted && size <= CHUNK_ROWS;
  const repeated = new Set(turns.filter(isRepeated).slice(0, REPEATED));
  return [...repeated, ...turns.filter((turn) => !repeated.has(turn))];
}

/**
 * A subject whose audit did not end is audited alone: it would keep others of its chunk from ever being audited. One with
 * findings is in no chunk with others, since a chunk with findings is audited again subject by subject.
 */
function takeChunk(queue: Turn[], most: number): Turn[] {
  const [first, ...others] = queue;
  if (!first) return [];
  const chunk = [first];
  let rows = first.size;
  for (const turn of isAlone(first) ? [] : others) {
    rows += turn.size;
    if (turn.kind !== first.kind || isAlone(turn) || rows > CHUNK_ROWS || chunk.length === most) break;
    chunk.push(turn);
  }
  return chunk;
}

const isAlone = ({ wasInterrupted, isBroken }: Turn): boolean => wasInterrupted || isBroken;

/** Checks do not say whose rows are broken, or whose rows they fail at: then each subject is audited alone. */
async function auditChunk(db: Database, chunk: Turn[], settings: AuditSettings): Promise<NightResult> {
  const [first] = chunk;
  if (!first) return { audited: 0, findings: [], failures: [] };
  const { kind } = first;
  const subjects = chunk.map(({ subject }) => subject);
  await beginTurns(db, kind, subjects);
  if (subjects.length > 1) {
    const findings = await AUDIT_SOME[kind](db, subjects, settings, new Date()).catch(() => null);
    if (findings && brokenOf(findings).rows === 0) {
      await endTurns(db, kind, subjects, findings);
      return { audited: subjects.length, findings, failures: [] };
    }
  }
  const result: NightResult = { audited: 0, findings: [], failures: [] };
  for (const [i, subject] of subjects.entries()) {
    if (result.failures.length === MAX_FAILURES) {
      await undoTurns(db, kind, subjects.slice(i));
      break;
    }
    try {
      const findings = await AUDIT_SOME[kind](db, [subject], settings, new Date());
      await endTurns(db, kind, [subject], findings);
      result.findings.push(...findings);
      result.audited++;
    } catch (error) {
      await failTurn(db, kind, subject);
      result.failures.push({ kind, subject, error });
    }
  }
  return result;
}

import type { Database } from '../database/database.ts';
import { type AuditSettings, auditInstallation } from './audit-everything.ts';
import type { AuditFinding } from './find-broken-rows.ts';
import { recordNight } from './record-audit.ts';
import { AUDIT_SOME } from './subjects.ts';
import { beginTurns, brokenOf, endTurns, listTurns, type Turn } from './turns.ts';

/** No turn begins later than this after the first one. */
export const NIGHT_MS = 4 * 60_000;
const CHUNK_SUBJECTS = 200;
/** A larger subject is a chunk of its own. */
const CHUNK_ROWS = 50_000;
/** After so many failed turns the cause is not in single subjects. */
const MAX_ERRORS = 5;
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
  /** Of turns whose audit failed; the others went on. */
  errors: unknown[];
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
  const findings = await auditInstallation(db, settings, new Date());
  const ofInstallation = [...findings];
  const result: NightResult = { audited: 0, findings, errors: [] };
  const until = clock() + NIGHT_MS;
  let queue = inOrder(await listTurns(db));
  while (queue.length > 0 && clock() < until && result.errors.length < MAX_ERRORS) {
    const chunk = takeChunk(queue, chunkSubjects);
    queue = queue.slice(chunk.length);
    try {
      findings.push(...(await auditChunk(db, chunk, settings)));
      result.audited += chunk.length;
    } catch (error) {
      result.errors.push(error);
    }
  }
  await recordNight(db, ofInstallation, (clock() - started) / 1_000);
  return result;
}

/** Repaired rows should not be reported until the next turn of their subject. */
function inOrder(turns: Turn[]): Turn[] {
  const repeated = new Set(turns.filter(({ isBroken, size }) => isBroken && size <= CHUNK_ROWS).slice(0, REPEATED));
  return [...repeated, ...turns.filter((turn) => !repeated.has(turn))];
}

/** A subject whose audit did not end is audited alone: it would keep others of its chunk from ever being audited. */
function takeChunk(queue: Turn[], most: number): Turn[] {
  const [first, ...others] = queue;
  if (!first) return [];
  const chunk = [first];
  let rows = first.size;
  for (const turn of first.wasInterrupted ? [] : others) {
    rows += turn.size;
    if (turn.kind !== first.kind || turn.wasInterrupted || rows > CHUNK_ROWS || chunk.length === most) break;
    chunk.push(turn);
  }
  return chunk;
}

/** Checks do not say whose rows are broken: when one of several subjects is, each is audited alone. */
async function auditChunk(db: Database, chunk: Turn[], settings: AuditSettings): Promise<AuditFinding[]> {
  const [first] = chunk;
  if (!first) return [];
  const { kind } = first;
  const audit = (subjects: string[]) => AUDIT_SOME[kind](db, subjects, settings, new Date());
  const subjects = chunk.map(({ subject }) => subject);
  await beginTurns(db, kind, subjects);
  const findings = await audit(subjects);
  if (subjects.length === 1 || brokenOf(findings).rows === 0) {
    await endTurns(db, kind, subjects, findings);
    return findings;
  }
  for (const subject of subjects) await endTurns(db, kind, [subject], await audit([subject]));
  return findings;
}

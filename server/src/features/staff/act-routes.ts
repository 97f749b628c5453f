import type { OperatorAct } from '@navette/contract';
import type { FastifyInstance } from 'fastify';
import { endOfDateFilter, startOfDateFilter } from '../../calendar/local-calendar.ts';
import { bindConsole } from '../../http/bind-console.ts';
import { exportActsAsCsv, exportActsAsLines } from './export-acts.ts';
import { type ActPeriod, type ActRow, listOperatorActs } from './read-acts.ts';
import type { StaffOptions } from './staff-options.ts';

/** Endpoints for the log of acts. */
export function serveOperatorActs(app: FastifyInstance, { db, config: { timeZone } }: StaffOptions): void {
  const periodOf = ({ from, to }: { from?: string; to?: string }): ActPeriod => ({
    ...(from ? { since: startOfDateFilter(from, timeZone) } : {}),
    ...(to ? { before: endOfDateFilter(to, timeZone) } : {}),
  });

  bindConsole(app, 'listOperatorActs', async ({ query, answer }) => {
    const { acts, nextCursor } = await listOperatorActs(db, query);
    return answer(200, { success: true, acts: acts.map(presentOperatorAct), nextCursor });
  });

  bindConsole(app, 'exportOperatorActs', async ({ staff, query, answerWith }) =>
    answerWith(200, fileHeaders('text/csv', 'csv'), await exportActsAsCsv(db, periodOf(query), staff.language)),
  );

  bindConsole(app, 'exportOperatorActLines', async ({ query, answerWith }) =>
    answerWith(200, fileHeaders('application/jsonl', 'jsonl'), await exportActsAsLines(db, periodOf(query))),
  );
}

const fileHeaders = (type: string, extension: string) => ({
  'content-type': `${type}; charset=utf-8`,
  'content-disposition': `attachment; filename="navette-acts.${extension}"`,
});

const presentOperatorAct = (row: ActRow): OperatorAct => ({
  number: row.number,
  at: new Date(row.at).toISOString(),
  actor: { kind: row.actorKind as OperatorAct['actor']['kind'], id: row.staffId, name: row.actor },
  act: row.act,
  subject:
    row.subjectType === null || row.subjectId === null || row.subjectTitle === null
      ? null
      : { type: row.subjectType, id: row.subjectId, title: row.subjectTitle },
  reason: row.reason,
  details: row.details,
  hash: row.hash.toString('hex'),
});

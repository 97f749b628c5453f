import type { FastifyInstance } from 'fastify';
import type { Database } from '../../database/database.ts';
import { bindDashboard } from '../../http/bind-dashboard.ts';
import type { JobSender } from '../../jobs/boss.ts';
import type { Creating } from '../shipments/index.ts';
import { importTemplate, writeErrorFile } from './import-files.ts';
import { previewImport } from './preview-import.ts';
import { listImports, readImport } from './read-imports.ts';
import { savePreview } from './save-preview.ts';
import { cancelImport, startImport } from './steer-import.ts';

export interface ImportsOptions {
  db: Database;
  jobs: JobSender;
  creating: Creating;
  now: () => Date;
}

const csvNamed = (name: string) => ({
  'content-type': 'text/csv; charset=utf-8',
  'content-disposition': `attachment; filename="${name}.csv"`,
  'x-content-type-options': 'nosniff',
});

export function serveImports(app: FastifyInstance, { db, jobs, creating, now }: ImportsOptions): void {
  async function read(accountId: string, importId: string) {
    const { balanceCents } = await creating.accounts.currentSettingsOf(accountId);
    return { success: true, import: await readImport(db, accountId, importId, balanceCents) } as const;
  }

  bindDashboard(app, 'previewImport', async ({ member, body, answer }) => {
    const { accountId, name } = member;
    const preview = await previewImport(creating, accountId, body);
    await savePreview(db, accountId, preview, { by: name, now: now() });
    return answer(201, await read(accountId, preview.id));
  });

  bindDashboard(app, 'listImports', async ({ member, query, answer }) => {
    const { cursor, limit = 20 } = query;
    return answer(200, { success: true, ...(await listImports(db, member.accountId, cursor, limit)) });
  });

  bindDashboard(app, 'readImport', async ({ member, params, answer }) =>
    answer(200, await read(member.accountId, params.id)),
  );

  bindDashboard(app, 'startImport', async ({ member, params, answer }) => {
    await startImport(db, jobs, member.accountId, params.id, now());
    return answer(200, await read(member.accountId, params.id));
  });

  bindDashboard(app, 'cancelImport', async ({ member, params, answer }) => {
    await cancelImport(db, member.accountId, params.id, now());
    return answer(200, await read(member.accountId, params.id));
  });

  bindDashboard(app, 'importErrors', async ({ member, params, answerWith }) => {
    const { accountId, language } = member;
    const file = await writeErrorFile(db, accountId, params.id, language);
    return answerWith(200, csvNamed(language === 'fr' ? 'lignes-a-corriger' : 'lines-to-correct'), file);
  });

  bindDashboard(app, 'importTemplate', async ({ query, answerWith }) => {
    const { language = 'fr' } = query;
    return answerWith(200, csvNamed(language === 'fr' ? 'modele-import' : 'import-template'), importTemplate(language));
  });
}

import type { FastifyInstance } from 'fastify';
import type { Database } from '../../database/database.ts';
import { createAccountConcurrency } from '../../http/account-concurrency.ts';
import { bindDashboard } from '../../http/bind-dashboard.ts';
import type { JobSender } from '../../jobs/boss.ts';
import type { CreationContext } from '../shipments/index.ts';
import { deleteOldPreviews } from './delete-old-previews.ts';
import { importTemplate, writeErrorFile } from './import-files.ts';
import { previewImport } from './preview-import.ts';
import { listImports, readImport } from './read-imports.ts';
import { savePreview } from './save-preview.ts';
import { cancelImport, startImport } from './start-or-cancel-import.ts';

export interface ImportsOptions {
  db: Database;
  jobs: JobSender;
  creation: CreationContext;
  now: () => Date;
}

// Reading a file of 5 MB takes a second of CPU time, in short steps. Files that an account sends at once wait in its own queue.
const PREVIEW_CONCURRENCY = { maxRunning: 1, maxWaiting: 2, waitMs: 30_000 };

const csvNamed = (name: string) => ({
  'content-type': 'text/csv; charset=utf-8',
  'content-disposition': `attachment; filename="${name}.csv"`,
});

export function serveImports(app: FastifyInstance, { db, jobs, creation, now }: ImportsOptions): void {
  const acquirePreview = createAccountConcurrency(PREVIEW_CONCURRENCY);

  async function read(accountId: string, importId: string) {
    const { balanceCents } = await creation.accounts.currentSettingsOf(accountId);
    return { success: true, import: await readImport(db, accountId, importId, balanceCents) } as const;
  }

  bindDashboard(app, 'previewImport', async ({ member, body, answer }) => {
    const { accountId, name } = member;
    const release = await acquirePreview(accountId);
    try {
      const preview = await previewImport(creation, accountId, body);
      await savePreview(db, accountId, preview, { by: name, now: now() });
      await deleteOldPreviews(db, accountId);
      return answer(201, await read(accountId, preview.id));
    } finally {
      release();
    }
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

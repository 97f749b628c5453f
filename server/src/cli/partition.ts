import type { Command } from 'commander';
import { readConfig } from '../config.ts';
import type { MoveProgress } from '../database/move-to-partitions.ts';
import { UsageError } from './failure.ts';
import { type OutputOptions, printRecord } from './output.ts';

const LINE_EVERY_MS = 2_000;
const MAX_BATCH = 10_000; // rows: deletions wait for a batch, and no request may reach its time limit

interface PartitionOptions extends OutputOptions {
  batch: string;
  restart?: boolean;
}

export function addPartitionCommand(program: Command): void {
  program
    .command('partition')
    .description('move large tables of an older installation into partitions by day, while the service runs')
    .option('--batch <rows>', 'rows per transaction', '2000')
    .option('--restart', 'forget what an unfinished run has copied, and begin again')
    .option('--json', 'print JSON, one line per step')
    .addHelpText(
      'after',
      `
Run it once after \`navette migrate\`. Processes of the release before may still run. Interrupted, run it again: it
continues.
It needs as much free disk space as the largest of the tables takes. Does nothing where all tables are partitioned.

Example:
  navette partition`,
    )
    .action(async ({ batch, restart, ...output }: PartitionOptions) => {
      const { databaseDirectUrl } = readConfig();
      const { forgetMoves, moveToPartitions } = await import('../database/move-to-partitions.ts');
      if (restart) await forgetMoves(databaseDirectUrl);
      const options = { batch: readBatch(batch), onProgress: createReport(output) };
      const moved = await moveToPartitions(databaseDirectUrl, options);
      printRecord({ moved, status: 'partitioned by day' }, output);
    });
}

function readBatch(text: string): number {
  const batch = Number(text);
  if (!Number.isInteger(batch) || batch < 1 || batch > MAX_BATCH)
    throw new UsageError(`--batch must be a number from 1 to ${MAX_BATCH}`);
  return batch;
}

/** Every step, and batches of a step every two seconds; all of them as JSON. */
function createReport({ json }: OutputOptions): (progress: MoveProgress) => void {
  let lastAt = 0;
  let lastStep = '';
  return (progress) => {
    const { table, step, rows, of } = progress;
    const isNew = `${table} ${step}` !== lastStep;
    if (json) return console.log(JSON.stringify(progress));
    if (!isNew && performance.now() - lastAt < LINE_EVERY_MS) return;
    lastAt = performance.now();
    lastStep = `${table} ${step}`;
    const count = step === 'copy' || step === 'verify' ? `  ${rows} of about ${Math.round(of)} rows` : '';
    console.log(`${table}  ${step}${count}`);
  };
}

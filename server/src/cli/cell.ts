import type { Command } from 'commander';
import { CommandFailure, UsageError } from './failure.ts';
import { type OutputOptions, printRecord, printTable } from './output.ts';
import { withDirectory } from './with-directory.ts';
import { withEngines } from './with-engines.ts';

const FOLLOW_EVERY_MS = 1_000;

export function addCellCommands(program: Command): void {
  const cell = program
    .command('cell')
    .description('regions with a database each, behind one router')
    .addHelpText('after', '\nExample:\n  navette cell list');

  cell
    .command('add')
    .description('enter this cell, or its new address, in the directory')
    .requiredOption('--address <url>', 'where the router and the other cells reach it')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      `
Run it with the settings of the cell. The first cell that is added gets the keys, links and references of the time before
cells. All cells need the same LINK_SECRETS, WEBHOOK_SECRET_KEYS and SECOND_FACTOR_KEYS.

Example:
  CELL=P2 navette cell add --address https://p2.navette.example`,
    )
    .action(async ({ address, ...output }: OutputOptions & { address: string }) => {
      if (!/^https?:\/\/[^/]+$/.test(address) || !URL.canParse(address))
        throw new UsageError('--address must be a URL without a path, such as https://p2.navette.example');
      await withEngines(({ config, db }) =>
        withDirectory(async (directory) => {
          const { cell: tag } = config;
          if (tag === null) throw new CommandFailure('CELL is not set');
          const { fingerprintSharedKeys } = await import('../cells/shared-keys.ts');
          const { reportEverybody } = await import('../cells/sign-in-people.ts');
          const keysFingerprint = fingerprintSharedKeys(config);
          await directory.prepare();
          const others = (await directory.listCells()).filter((other) => other.tag !== tag);
          const differing = others
            .filter((other) => other.keysFingerprint !== keysFingerprint)
            .map((other) => other.tag);
          if (differing.length > 0)
            throw new CommandFailure(
              `cell ${differing.join(', ')} has other LINK_SECRETS, WEBHOOK_SECRET_KEYS or SECOND_FACTOR_KEYS: set the same ones`,
            );
          await directory.addCell({ tag, address, keysFingerprint });
          await reportEverybody(db);
          printRecord({ cell: tag, address, status: 'added' }, output);
        }),
      );
    });

  cell
    .command('list')
    .description('list cells, whether they answer, and how many people sign in to each')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  navette cell list --json')
    .action((output: OutputOptions) =>
      withDirectory(async (directory) => {
        const counts = new Map((await directory.countPeople()).map(({ cell: tag, people }) => [tag, people]));
        const rows = await Promise.all(
          (await directory.listCells()).map(async ({ tag, address, isFirst, state }) => ({
            cell: tag,
            address,
            first: isFirst ? 'yes' : 'no',
            state,
            people: counts.get(tag) ?? 0,
            health: await describeHealth(address),
          })),
        );
        printTable(rows, ['cell', 'address', 'first', 'state', 'people', 'health'], output, 'no cells');
      }),
    );

  cell
    .command('drain')
    .description('let no account be created in a cell or moved to it')
    .argument('<cell>', 'its tag')
    .option('--undo', 'open it again')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nMove its accounts with `navette account move`.\n\nExample:\n  navette cell drain P2')
    .action((tag: string, { undo, ...output }: OutputOptions & { undo?: boolean }) =>
      withDirectory(async (directory) => {
        const state = undo ? 'open' : 'draining';
        if (!(await directory.setState(tag, state))) throw new CommandFailure(`there is no cell ${tag}`);
        printRecord({ cell: tag, state }, output);
      }),
    );

  cell
    .command('router')
    .description('write the configuration and the maps of HAProxy, which sends each request to its cell')
    .argument('<directory>', 'where HAProxy reads them')
    .option('--bind <arguments>', "of HAProxy's bind line", '*:8080')
    .option('--follow', 'keep them up to date, and give changed maps to the running HAProxy')
    .option('--json', 'print JSON, one line per change')
    .addHelpText(
      'after',
      `
With --follow it runs beside HAProxy. It applies moves of accounts within a second. A new cell changes the configuration,
which HAProxy reads when it is reloaded. While the directory is away, the router works with what it knows.

Example:
  navette cell router /etc/haproxy/navette --bind "*:443 ssl crt /etc/haproxy/navette.pem" --follow`,
    )
    .action((folder: string, { bind, follow, ...output }: OutputOptions & { bind: string; follow?: boolean }) =>
      withDirectory(async (directory) => {
        const { applyMap, writeRouter } = await import('../cells/write-router.ts');
        printRecord({ written: await writeRouter(directory, folder, bind) }, output);
        while (follow) {
          await new Promise((resolve) => setTimeout(resolve, FOLLOW_EVERY_MS));
          try {
            const changed = await writeRouter(directory, folder, bind);
            if (changed.length === 0) continue;
            for (const name of changed) if (name.endsWith('.map')) await applyMap(folder, name);
            printRecord({ written: changed }, output);
            if (changed.includes('haproxy.cfg')) console.error('the configuration has changed: reload HAProxy');
          } catch (error) {
            console.error(`the router keeps what it knows: ${(error as Error).message}`);
          }
        }
      }),
    );
}

async function describeHealth(address: string): Promise<string> {
  try {
    const { status } = await fetch(`${address}/healthz`, { signal: AbortSignal.timeout(2_000) });
    return status === 200 ? 'up' : `status ${status}`;
  } catch (error) {
    return `down: ${((error as Error).cause as NodeJS.ErrnoException | undefined)?.code ?? (error as Error).name}`;
  }
}

import type { Engines } from './engines.ts';

/** Opens the database for one command and closes it whatever happens. Loaded only now, so that --help answers at once. */
export async function withEngines<T>(use: (engines: Engines) => Promise<T>): Promise<T> {
  const { openEngines } = await import('./engines.ts');
  const engines = openEngines();
  try {
    return await use(engines);
  } finally {
    await engines.close();
  }
}

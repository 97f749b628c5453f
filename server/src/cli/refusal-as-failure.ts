import { CommandFailure } from './failure.ts';

/** Turns a refusal of a use case into the failure of a command. */
export async function refusalAsFailure<T>(work: Promise<T>): Promise<T> {
  const { Refusal } = await import('../refusals/refusal.ts');
  return work.catch((error: unknown) => {
    throw error instanceof Refusal ? new CommandFailure(error.message) : error;
  });
}

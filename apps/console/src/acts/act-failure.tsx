import { FormError } from '@navette/ui/parts/form-error.tsx';
import { readConflict } from './conflict.ts';
import { ConflictText } from './conflict-text.tsx';

/** Why an act was refused: who was first, or the reason of the server. */
export function ActFailure({ error }: { error: unknown }) {
  const conflict = readConflict(error);
  return conflict ? <ConflictText conflict={conflict} /> : <FormError error={error} />;
}

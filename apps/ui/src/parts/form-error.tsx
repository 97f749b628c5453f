import { Alert } from '@mantine/core';
import { IconAlertCircle } from '@tabler/icons-react';
import { useExplainError } from '../api/use-explain-error.ts';

/** Explains why a submitted form was refused. */
export function FormError({ error }: { error: unknown }) {
  const explain = useExplainError();
  if (!error) return null;
  return (
    <Alert color="red" variant="light" icon={<IconAlertCircle />} role="alert">
      {explain(error)}
    </Alert>
  );
}

import { Center } from '@mantine/core';
import { type ErrorComponentProps, useRouter } from '@tanstack/react-router';
import { ErrorState } from '../parts/error-state.tsx';

/** Shown instead of a page that failed to render or load. */
export function PageFailure({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  const retry = () => {
    reset();
    void router.invalidate();
  };
  return (
    <Center mih="60vh" p="md">
      <ErrorState error={error} onRetry={retry} />
    </Center>
  );
}

import type { UseFormReturnType } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { useFieldErrors } from '../api/use-explain-error.ts';

/**
 * Submits a form. Field errors of the server are shown at their fields, which `fieldOf` finds by the path in the request;
 * `error` is shown above the button.
 */
export function useSubmit<Values extends Record<string, unknown>>(
  form: UseFormReturnType<Values>,
  send: (values: Values) => Promise<unknown>,
  fieldOf?: (path: string) => string,
) {
  const fieldErrors = useFieldErrors(fieldOf);
  const sending = useMutation({ mutationFn: send, onError: (error) => form.setErrors(fieldErrors(error)) });
  return {
    onSubmit: form.onSubmit((values) => sending.mutate(values)),
    sending: sending.isPending,
    error: sending.error,
    reset: sending.reset,
  };
}

import { notifications } from '@mantine/notifications';
import type { Mode } from '@navette/contract';
import { useExplainError } from '@navette/ui/api/use-explain-error.ts';
import { ApiError } from '@navette/ui/api-error';
import { useMutation } from '@tanstack/react-query';
import { call } from '../api/call.ts';
import { enterMode } from '../session/mode.ts';

/** The session has changed in another tab, or the role has. */
const isOutdated = (error: unknown) => error instanceof ApiError && [401, 403, 409].includes(error.status);

/** Switches the session between the live account and its test twin. */
export function useModeSwitch() {
  const explain = useExplainError();
  return useMutation({
    mutationFn: (mode: Mode) => call('switchMode', { body: { mode } }),
    onSuccess: ({ mode }) => enterMode(mode),
    onError: (error) => {
      if (isOutdated(error)) location.reload();
      else notifications.show({ color: 'red', message: explain(error) });
    },
  });
}

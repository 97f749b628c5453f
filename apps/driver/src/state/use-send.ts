import { useState } from 'react';

/** Runs an action of a form once at a time, and keeps its failure for display. */
export function useSend<Args extends unknown[]>(action: (...args: Args) => Promise<void>) {
  const [isSending, setSending] = useState(false);
  const [error, setError] = useState<unknown>(null);
  async function send(...args: Args): Promise<void> {
    if (isSending) return;
    setSending(true);
    setError(null);
    try {
      await action(...args);
    } catch (failure) {
      setError(failure);
    } finally {
      setSending(false);
    }
  }
  return { send: (...args: Args) => void send(...args), isSending, error };
}

import { useMutation } from '@tanstack/react-query';
import { useRef } from 'react';
import { call } from '../../api/call.ts';

interface Wanted {
  amount: number;
  threshold?: number;
}

/** Leads to the payment provider's page. A repeated attempt sends the same request, so it starts one payment. */
export function usePayOnline() {
  const request = useRef({ wanted: '', requestId: '' });
  const start = useMutation({
    mutationFn: (wanted: Wanted) => {
      const text = JSON.stringify(wanted);
      if (request.current.wanted !== text) request.current = { wanted: text, requestId: crypto.randomUUID() };
      return call('startTopUp', { body: { ...wanted, requestId: request.current.requestId } });
    },
    onSuccess: ({ url }) => {
      request.current = { wanted: '', requestId: '' };
      if (url) window.location.assign(url);
    },
  });
  const { mutate, error, isPending, data } = start;
  return { mutate, error, isLeaving: isPending || Boolean(data?.url) };
}

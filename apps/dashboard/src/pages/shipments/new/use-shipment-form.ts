import { useForm } from '@mantine/form';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError } from '../../../api/api-error.ts';
import { call } from '../../../api/call.ts';
import { useFieldErrors } from '../../../api/use-explain-error.ts';
import { type Draft, dropDraft, keepDraft, newDraft, readDraft } from './draft.ts';
import { asRequest, type FormValues } from './form-values.ts';
import { newKey } from './new-key.ts';

// Slugs about one input of the form: said there.
const INPUT_OF: Record<string, string> = {
  UNKNOWN_SLOT: 'timeSlot',
  SLOT_PASSED: 'timeSlot',
  DATE_WITHOUT_SLOT: 'timeSlot',
  SLOT_WITHOUT_DATE: 'scheduledDate',
};

/** The form, its draft, and its way to the server: one key per form, so that it ships once. */
export function useShipmentForm(accountId: string, explain: (error: unknown) => string) {
  const queryClient = useQueryClient();
  const fieldErrors = useFieldErrors();
  const [kept] = useState(() => readDraft(accountId));
  const [draft, setDraft] = useState<Draft>(() => kept ?? newDraft());
  const [resumed, setResumed] = useState(kept !== null);

  const form = useForm<FormValues>({
    initialValues: draft.values,
    onValuesChange: (values) => keepDraft(accountId, { ...draft, values }),
  });

  const renewKey = () => {
    const renewed = { ...draft, values: form.getValues(), idempotencyKey: newKey() };
    setDraft(renewed);
    keepDraft(accountId, renewed);
  };

  const create = useMutation({
    mutationFn: (values: FormValues) =>
      call('createShipment', { headers: { 'x-idempotency-key': draft.idempotencyKey }, body: asRequest(values) }),
    onSuccess: () => {
      dropDraft(accountId);
      return queryClient.invalidateQueries({ queryKey: ['shipments'] });
    },
    onError: (error) => {
      const errors = fieldErrors(error);
      const slug = error instanceof ApiError ? (error.slug ?? '') : '';
      if (INPUT_OF[slug]) errors[INPUT_OF[slug]] = explain(error);
      if (slug === 'IDEMPOTENCY_KEY_CONFLICT') renewKey();
      form.setErrors(errors);
      const first = Object.keys(errors)[0];
      if (first) form.getInputNode(first)?.focus();
    },
  });

  const startAfresh = () => {
    const fresh = newDraft();
    dropDraft(accountId);
    setDraft(fresh);
    setResumed(false);
    form.setInitialValues(fresh.values);
    form.reset();
    dropDraft(accountId); // which the reset had kept again
    create.reset();
  };

  return { form, create, resumed, startAfresh };
}
export type ShipmentForm = ReturnType<typeof useShipmentForm>['form'];

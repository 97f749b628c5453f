import { useForm } from '@mantine/form';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../../api/api-error.ts';
import { call } from '../../../api/call.ts';
import { useFieldErrors } from '../../../api/use-explain-error.ts';
import { type Draft, dropDraft, keepDraft, newDraft, readDraft } from './draft.ts';
import { asRequest, type FormValues, missingContact } from './form-values.ts';
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
  const { t } = useTranslation('errors');
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
    onError: (error, values) => {
      const errors = fieldErrors(error);
      // The server asks for these once the rest is right; whoever fills a form wants to hear of all at once.
      if (Object.keys(errors).length > 0) for (const path of missingContact(values)) errors[path] = t('rules.required');
      const slug = error instanceof ApiError ? (error.slug ?? '') : '';
      if (INPUT_OF[slug]) errors[INPUT_OF[slug]] = explain(error);
      if (slug === 'IDEMPOTENCY_KEY_CONFLICT') renewKey();
      form.setErrors(errors);
      firstOnPage(Object.keys(errors).map((path) => form.getInputNode(path)))?.focus();
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

const firstOnPage = (inputs: (HTMLElement | null)[]) =>
  inputs
    .filter((input) => input !== null)
    .toSorted((a, b) => (a.compareDocumentPosition(b) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1))[0];

export type ShipmentForm = ReturnType<typeof useShipmentForm>['form'];

import { useForm } from '@mantine/form';
import { useFieldErrors } from '@navette/ui/api/use-explain-error.ts';
import { ApiError } from '@navette/ui/api-error';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../api/call.ts';
import { type Draft, deleteDraft, newDraft, readDraft, saveDraft } from './draft.ts';
import { type FormValues, isWeightUnreadable, missingContact, toRequest } from './form-values.ts';
import { newIdempotencyKey } from './idempotency-key.ts';

// Refusals that are shown at one input.
const INPUT_OF: Record<string, string> = {
  UNKNOWN_SLOT: 'timeSlot',
  SLOT_PASSED: 'timeSlot',
  DATE_WITHOUT_SLOT: 'timeSlot',
  SLOT_WITHOUT_DATE: 'scheduledDate',
};

/**
 * The form, its draft and its submission. One idempotency key per form, so that it creates one shipment. It starts with
 * the copied values, or with the draft that was kept.
 */
export function useShipmentForm(accountId: string, explain: (error: unknown) => string, copied: FormValues | null) {
  const queryClient = useQueryClient();
  const { t } = useTranslation(['errors', 'newShipment']);
  const fieldErrors = useFieldErrors();
  const [saved] = useState(() => (copied ? null : readDraft(accountId)));
  const [draft, setDraft] = useState<Draft>(() => saved ?? newDraft(copied ?? undefined));
  const [resumed, setResumed] = useState(saved !== null);

  const form = useForm<FormValues>({
    initialValues: draft.values,
    onValuesChange: (values) => saveDraft(accountId, { ...draft, values }),
  });

  const renewKey = () => {
    const renewed = { ...draft, values: form.getValues(), idempotencyKey: newIdempotencyKey() };
    setDraft(renewed);
    saveDraft(accountId, renewed);
  };

  const create = useMutation({
    mutationFn: (values: FormValues) =>
      call('createShipment', { headers: { 'x-idempotency-key': draft.idempotencyKey }, body: toRequest(values) }),
    onSuccess: () => {
      deleteDraft(accountId);
      return queryClient.invalidateQueries({ queryKey: ['shipments'] });
    },
    onError: (error, values) => {
      const errors = fieldErrors(error);
      // The server checks these only once the other fields are valid; the form shows all missing fields together.
      if (Object.keys(errors).length > 0) for (const path of missingContact(values)) errors[path] = t('rules.required');
      if (isWeightUnreadable(values)) errors['parcelDetails.weight'] = t('newShipment:weightWrong');
      const slug = error instanceof ApiError ? (error.slug ?? '') : '';
      if (INPUT_OF[slug]) errors[INPUT_OF[slug]] = explain(error);
      if (slug === 'IDEMPOTENCY_KEY_CONFLICT') renewKey();
      form.setErrors(errors);
      firstOnPage(Object.keys(errors).map((path) => form.getInputNode(path)))?.focus();
    },
  });

  const startOver = () => {
    const fresh = newDraft();
    deleteDraft(accountId);
    setDraft(fresh);
    setResumed(false);
    form.setInitialValues(fresh.values);
    form.reset();
    deleteDraft(accountId); // the reset has saved it again
    create.reset();
  };

  return { form, create, resumed, startOver };
}

const firstOnPage = (inputs: (HTMLElement | null)[]) =>
  inputs
    .filter((input) => input !== null)
    .toSorted((a, b) => (a.compareDocumentPosition(b) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1))[0];

export type ShipmentForm = ReturnType<typeof useShipmentForm>['form'];

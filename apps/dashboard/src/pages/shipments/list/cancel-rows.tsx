import { Button, Group, ScrollArea, Stack, Table, Text } from '@mantine/core';
import { useExplainError } from '@navette/ui/api/use-explain-error.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../api/call.ts';
import { CancelReason } from '../cancel-reason.tsx';
import type { ShipmentLine } from '../shipments-queries.ts';
import { nameOf } from './order-link.tsx';
import { Recipient } from './recipient.tsx';

type Outcome = { state: 'cancelled' } | { state: 'refused'; why: string };

interface Props {
  lines: readonly ShipmentLine[];
  onClose: () => void;
}

/** Asks for the reason, then cancels one shipment after the other. A refusal stops none of the others. */
export function CancelRows({ lines, onClose }: Props) {
  const { t } = useTranslation('shipments');
  const explain = useExplainError();
  const queryClient = useQueryClient();
  const [reason, setReason] = useState('');
  const [outcomes, setOutcomes] = useState<ReadonlyMap<string, Outcome>>(new Map());

  const cancelOne = async (id: string): Promise<Outcome> => {
    try {
      await call('cancelShipment', { params: { id }, body: { reason: reason.trim() } });
      return { state: 'cancelled' };
    } catch (error) {
      return { state: 'refused', why: explain(error) };
    }
  };
  const cancel = useMutation({
    mutationFn: async () => {
      for (const { id } of lines) {
        const outcome = await cancelOne(id);
        setOutcomes((before) => new Map(before).set(id, outcome));
      }
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['shipments'] }),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    cancel.mutate();
  };
  const cancelled = [...outcomes.values()].filter(({ state }) => state === 'cancelled').length;

  return (
    <Stack component="form" gap="md" onSubmit={submit}>
      {cancel.isIdle ? (
        <>
          <Text size="sm">{t('cancelSelectionText')}</Text>
          <CancelReason value={reason} onChange={setReason} />
        </>
      ) : (
        <Text size="sm" fw={600} role="status">
          {cancel.isPending
            ? t('cancelProgress', { done: outcomes.size, count: lines.length })
            : t('cancelDone', { cancelled, count: lines.length })}
        </Text>
      )}
      <ScrollArea.Autosize mah={320} type="auto">
        <Table verticalSpacing={4}>
          <Table.Tbody>
            {lines.map((line) => (
              <Table.Tr key={line.id}>
                <Table.Td fw={600}>{nameOf(line)}</Table.Td>
                <Table.Td>
                  <Recipient line={line} />
                </Table.Td>
                <Table.Td w="45%">
                  <OutcomeText of={outcomes.get(line.id)} />
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </ScrollArea.Autosize>
      <Group justify="flex-end" gap="sm">
        <Button variant="default" onClick={onClose}>
          {cancel.isIdle ? t('cancelNothing') : t('cancelClose')}
        </Button>
        {!cancel.isSuccess && (
          <Button type="submit" color="red" loading={cancel.isPending} disabled={reason.trim() === ''}>
            {t('cancelCount', { count: lines.length })}
          </Button>
        )}
      </Group>
    </Stack>
  );
}

function OutcomeText({ of }: { of: Outcome | undefined }) {
  const { t } = useTranslation('shipments');
  if (!of) return null;
  return (
    <Text size="sm" c={of.state === 'cancelled' ? 'green' : 'red'}>
      {of.state === 'cancelled' ? t('cancelledRow') : of.why}
    </Text>
  );
}

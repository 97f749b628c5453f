import { Button } from '@mantine/core';
import type { ShipmentAct, ShipmentPage } from '@navette/contract';
import { Form } from '@navette/ui/parts/form.tsx';
import { type FormEvent, type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ActFailure } from '../../acts/act-failure.tsx';
import { ActFrame } from '../../acts/act-frame.tsx';
import type { ActProps } from '../../acts/act-props.ts';
import { AssignDriver } from '../../acts/assign-driver.tsx';
import { ConfirmDelivery } from '../../acts/confirm-delivery.tsx';
import { Consequences } from '../../acts/consequences.tsx';
import { LocateAddress } from '../../acts/locate-address.tsx';
import { ReasonField } from '../../acts/reason-field.tsx';
import { ResolveIncident } from '../../acts/resolve-incident.tsx';
import { useAct } from '../../acts/use-act.ts';
import { call } from '../../api/call.ts';
import { useMay } from '../../session/session.ts';

/** The acts that the state and the role allow. The dialogs are those of the inbox. */
export function ShipmentActs({ shipment }: { shipment: ShipmentPage }) {
  const { t } = useTranslation('shipment');
  const { t: tActs } = useTranslation('acts');
  const [opened, setOpened] = useState<ShipmentAct | null>(null);
  if (!useMay()('dispatch')) return null;
  const { id, reference: title, version, driver, possibleActs } = shipment;
  const onDone = () => setOpened(null);
  // The dialog itself shows who was first.
  const props = { subject: { id, title, version }, why: null, onDone, onConflict: () => {} };
  const dialogs: Record<ShipmentAct, () => [title: string, content: ReactNode]> = {
    assign: () => [tActs('titles.assign', { title }), <AssignDriver key="act" {...props} />],
    unassign: () => [t('unassign.title', { title }), <Unassign key="act" {...props} driver={driver?.name ?? ''} />],
    locate_pickup: () => [tActs('titles.locate', { title }), <LocateAddress key="act" {...props} address="pickup" />],
    locate_delivery: () => [
      tActs('titles.locate', { title }),
      <LocateAddress key="act" {...props} address="delivery" />,
    ],
    confirm_delivery: () => [tActs('titles.confirm_delivery', { title }), <ConfirmDelivery key="act" {...props} />],
    resolve_incident: () => [tActs('titles.resolve_incident', { title }), <ResolveIncident key="act" {...props} />],
    cancel: () => [t('cancel.title', { title }), <Cancel key="act" {...props} />],
  };
  const [dialogTitle, content] = opened ? dialogs[opened]() : ['', null];
  return (
    <>
      {possibleActs.map((act, index) => (
        <Button
          key={act}
          variant={index === 0 ? 'filled' : 'default'}
          {...(act === 'cancel' ? { c: 'red' } : {})}
          onClick={() => setOpened(act)}
        >
          {t(act === 'assign' && driver ? 'acts.reassign' : `acts.${act}`)}
        </Button>
      ))}
      {opened && (
        <ActFrame title={dialogTitle} isWide={opened === 'assign'} onClose={onDone}>
          {content}
        </ActFrame>
      )}
    </>
  );
}

function Unassign({ subject, driver, onDone, onConflict }: ActProps & { driver: string }) {
  const { t } = useTranslation('shipment');
  const { t: tActs } = useTranslation('acts');
  const [reason, setReason] = useState('');
  const { id, title, version } = subject;
  const unassign = useAct(
    { onDone, onConflict },
    (given: string) =>
      call('unassignShipment', {
        params: { id },
        body: { version: version ?? '', ...(given ? { reason: given } : {}) },
      }),
    () => t('unassign.done', { title }),
  );
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    unassign.mutate(reason.trim());
  };
  return (
    <Form onSubmit={onSubmit}>
      <ReasonField hint={t('unassign.hint')} isRequired={false} isFirst value={reason} onChange={setReason} />
      <Consequences lines={[t('unassign.outcome', { driver }), tActs('logged')]} />
      <ActFailure error={unassign.error} />
      <Button type="submit" loading={unassign.isPending}>
        {t('unassign.submit')}
      </Button>
    </Form>
  );
}

function Cancel({ subject, onDone, onConflict }: ActProps) {
  const { t } = useTranslation('shipment');
  const { t: tActs } = useTranslation('acts');
  const [reason, setReason] = useState('');
  const { id, title, version } = subject;
  const cancel = useAct(
    { onDone, onConflict },
    (given: string) => call('cancelAsOperator', { params: { id }, body: { reason: given, version: version ?? '' } }),
    () => t('cancel.done', { title }),
  );
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    cancel.mutate(reason.trim());
  };
  return (
    <Form onSubmit={onSubmit}>
      <ReasonField hint={t('cancel.hint')} isFirst value={reason} onChange={setReason} />
      <Consequences lines={[t('cancel.outcome'), tActs('logged')]} />
      <ActFailure error={cancel.error} />
      <Button type="submit" color="red" loading={cancel.isPending}>
        {t('cancel.submit')}
      </Button>
    </Form>
  );
}

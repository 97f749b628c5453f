import { Alert, Button, Group, Text, TextInput } from '@mantine/core';
import { Form } from '@navette/ui/parts/form.tsx';
import { IconMapQuestion } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../api/call.ts';
import { ActFailure } from './act-failure.tsx';
import type { ActProps } from './act-props.ts';
import { Consequences } from './consequences.tsx';
import { type Coordinates, checkCoordinates, readDegrees, readPair } from './coordinates.ts';
import { useAct } from './use-act.ts';
import { WhyText } from './why-text.tsx';

interface LocateProps extends ActProps {
  address: 'pickup' | 'delivery';
}

/** Places an address that the geocoder did not find. A pair that was copied from a map fills both fields. */
export function LocateAddress({ subject, why, address, onDone, onConflict }: LocateProps) {
  const { t } = useTranslation('acts');
  const [typed, setTyped] = useState({ latitude: '', longitude: '' });
  const [wasSubmitted, setWasSubmitted] = useState(false);
  const latitude = readDegrees(typed.latitude);
  const longitude = readDegrees(typed.longitude);
  const problem = checkCoordinates(latitude, longitude);
  const isUsable = problem === null || problem === 'outside';
  const locate = useAct(
    { onDone, onConflict },
    (place: Coordinates) => call('setShipmentLocation', { params: { id: subject.id }, body: { address, ...place } }),
    () => t('locate.done', { title: subject.title }),
  );
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    setWasSubmitted(true);
    if (isUsable && latitude !== null && longitude !== null) locate.mutate({ latitude, longitude });
  };
  const change = (field: 'latitude' | 'longitude') => (event: { currentTarget: { value: string } }) => {
    const { value } = event.currentTarget;
    setTyped((before) => readPair(value) ?? { ...before, [field]: value });
  };
  const errorOf = (value: number | null) => (wasSubmitted && value === null ? { error: t('locate.number') } : {});
  return (
    <Form onSubmit={onSubmit}>
      <WhyText why={why} />
      <Text size="sm">{t('locate.hint')}</Text>
      <Group grow align="flex-start">
        <TextInput
          label={t('locate.latitude')}
          inputMode="decimal"
          placeholder="48.8566"
          data-autofocus
          value={typed.latitude}
          onChange={change('latitude')}
          {...errorOf(latitude)}
        />
        <TextInput
          label={t('locate.longitude')}
          inputMode="decimal"
          placeholder="2.3522"
          value={typed.longitude}
          onChange={change('longitude')}
          {...errorOf(longitude)}
        />
      </Group>
      {(problem === 'range' || problem === 'outside') && (
        <Alert color="orange" variant="light" icon={<IconMapQuestion />} role="alert">
          {t(`locate.${problem}`)}
        </Alert>
      )}
      <Consequences lines={[t(`locate.placed.${address}`), t('locate.searchStarts')]} />
      <ActFailure error={locate.error} />
      <Button type="submit" loading={locate.isPending}>
        {t('locate.submit')}
      </Button>
    </Form>
  );
}

import { Alert, Button, Checkbox, Group, NumberInput, SegmentedControl, Textarea, TextInput } from '@mantine/core';
import { queryClient } from '@navette/ui/api/query-client.ts';
import { useExplainError } from '@navette/ui/api/use-explain-error.ts';
import { Form } from '@navette/ui/parts/form.tsx';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ActFailure } from '../../acts/act-failure.tsx';
import { Consequences } from '../../acts/consequences.tsx';
import { useAct } from '../../acts/use-act.ts';
import { call } from '../../api/call.ts';
import { parsePlaces, writePlaces } from './parse-places.ts';
import type { useZoneDraft, ZoneDraft } from './use-zone-draft.ts';

/** Stops offers in a zone: drawn on the map or typed. Says what will happen before it does. */
export function ZoneForm({ zone, draft }: { zone: ReturnType<typeof useZoneDraft>; draft: ZoneDraft }) {
  const { t } = useTranslation('map');
  const { t: tActs } = useTranslation('acts');
  const explain = useExplainError();
  const { shape, endsAt, effect, error, change, end } = zone;
  const { id, kind, places, radiusMetres, reason, informs, message } = draft;
  const create = useAct(
    {
      onDone: () => {
        void queryClient.invalidateQueries({ queryKey: ['map'] });
        end();
      },
      onConflict: () => {},
    },
    (body: Parameters<typeof call<'createZone'>>[1]['body']) => call('createZone', { body }),
    () => t('zones.done', { reason: reason.trim() }),
  );
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (!shape || !endsAt) return;
    const notice = informs && message.trim() ? { message: message.trim() } : {};
    create.mutate({ id, shape, endsAt, reason: reason.trim(), ...notice });
  };
  return (
    <Form onSubmit={onSubmit}>
      <SegmentedControl
        aria-label={t('zones.shape')}
        value={kind}
        onChange={(value) => change({ kind: value as ZoneDraft['kind'], places: places.slice(0, 1) })}
        data={[
          { value: 'circle', label: t('zones.circle') },
          { value: 'polygon', label: t('zones.polygon') },
        ]}
      />
      <Places kind={kind} places={places} onChange={(next) => change({ places: next })} />
      {kind === 'circle' && (
        <NumberInput
          label={t('zones.radius')}
          required
          min={50}
          max={100_000}
          step={100}
          value={radiusMetres}
          onChange={(value) => change({ radiusMetres: Number(value) || 0 })}
        />
      )}
      <TextInput
        type="datetime-local"
        label={t('zones.endsAt')}
        required
        value={draft.endsAt}
        onChange={(event) => change({ endsAt: event.currentTarget.value })}
      />
      <TextInput
        label={t('zones.reason')}
        description={t('zones.reasonHint')}
        required
        maxLength={300}
        value={reason}
        onChange={(event) => change({ reason: event.currentTarget.value })}
      />
      <Checkbox
        label={t('zones.informs')}
        checked={informs}
        onChange={(event) => change({ informs: event.currentTarget.checked })}
      />
      {informs && (
        <Textarea
          label={t('zones.message')}
          required
          autosize
          maxLength={500}
          value={message}
          onChange={(event) => change({ message: event.currentTarget.value })}
        />
      )}
      {error && <Alert color="red">{explain(error)}</Alert>}
      {effect && (
        <Consequences
          lines={[
            t('zones.searches', { count: effect.searches }),
            ...(informs ? [t('zones.recipients', { count: effect.recipients })] : []),
            t('zones.later', { count: effect.later }),
            t('zones.withDriver', { count: effect.withDriver }),
            tActs('logged'),
          ]}
        />
      )}
      <ActFailure error={create.error} />
      <Group grow>
        <Button variant="default" onClick={end}>
          {t('zones.cancel')}
        </Button>
        <Button type="submit" color="red" loading={create.isPending} disabled={!effect || reason.trim() === ''}>
          {t('zones.submit')}
        </Button>
      </Group>
    </Form>
  );
}

interface PlacesProps {
  kind: ZoneDraft['kind'];
  places: ZoneDraft['places'];
  onChange: (places: ZoneDraft['places']) => void;
}

/** The centre or the corners as text. Keeps what is typed until it is left: half a number is no place. */
function Places({ kind, places, onChange }: PlacesProps) {
  const { t } = useTranslation('map');
  const [typed, setTyped] = useState<string | null>(null);
  return (
    <Textarea
      label={t(kind === 'circle' ? 'zones.centre' : 'zones.corners')}
      description={t(kind === 'circle' ? 'zones.centreHint' : 'zones.cornersHint')}
      required
      autosize
      minRows={kind === 'circle' ? 1 : 3}
      value={typed ?? writePlaces(places)}
      onBlur={() => setTyped(null)}
      onChange={(event) => {
        setTyped(event.currentTarget.value);
        onChange(parsePlaces(event.currentTarget.value).slice(0, kind === 'circle' ? 1 : 100));
      }}
    />
  );
}

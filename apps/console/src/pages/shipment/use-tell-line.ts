import type {
  IncidentKind,
  IncidentResolution,
  ProofKind,
  ReportKind,
  ShipmentDetail,
  ShipmentStatus,
  StoryLine,
} from '@navette/contract';
import { useFormat } from '@navette/ui/i18n/use-format.ts';
import { useTranslation } from 'react-i18next';
import { useActName } from '../log/use-act-name.ts';

export interface LineText {
  text: string;
  detail: string | null;
}

type MessageKind = ShipmentDetail['messages'][number]['kind'];
type MessageState = ShipmentDetail['messages'][number]['status'];
type DeliveryState = ShipmentDetail['deliveries'][number]['status'];

// The values that dispatch stores, and the names of their texts.
const CAUSES = { 'its time had come': 'time', 'it was given back': 'back', 'it is express': 'express' } as const;
const OBSTACLES = {
  unavailable: 'unavailable',
  busy: 'busy',
  'asked enough': 'asked',
  refused: 'refused',
  'gave it back': 'back',
  'did not answer': 'silent',
} as const;

/** Puts a line of the story into words. */
export function useTellLine(): (line: StoryLine) => LineText {
  const { t } = useTranslation('shipment');
  const { t: tCommon } = useTranslation();
  const format = useFormat();
  const nameOfAct = useActName();

  return (line) => {
    const { kind, facts } = line;
    const text = (name: string) => (facts[name] === null || facts[name] === undefined ? '' : String(facts[name]));
    const quoted = (name: string) => (text(name) ? t('story.quoted', { text: text(name) }) : null);
    const number = (name: string) => format.number(Number(facts[name] ?? 0));
    const driver = line.driver?.name ?? '';
    const status = () => tCommon(`statuses.${text('status') as ShipmentStatus}`);
    const amount = () => format.money(Number(facts.amount ?? 0));
    const looked = () =>
      line.looked.length === 0
        ? t('story.nobodyNear')
        : line.looked
            .map(({ name, km, obstacle }) => {
              const known = obstacle === null ? undefined : OBSTACLES[obstacle as keyof typeof OBSTACLES];
              const reason = known ? t(`story.obstacles.${known}`) : (obstacle ?? '');
              return t(obstacle === null ? 'story.looked' : 'story.lookedNot', {
                ...{ name, km: format.number(km), obstacle: reason },
              });
            })
            .join(', ');
    const assigned = () => {
      const how = text('how');
      const key = how === 'dispatch' || how === 'driver' ? how : text('previous') ? 'instead' : 'operator';
      return t(`story.lines.assigned.${key}`, { driver, km: number('km'), previous: text('previous') });
    };
    const cause = () => {
      const known = CAUSES[text('cause') as keyof typeof CAUSES];
      return known ? t(`story.causes.${known}`) : text('cause');
    };
    const simple = (values: object = {}) =>
      t(`story.lines.${kind as Exclude<StoryLine['kind'], 'assigned' | 'assignment_undone' | 'proof'>}`, {
        driver,
        ...values,
      });
    const byPerson = line.by && t('story.by', { name: line.by });
    const join = (...parts: (string | null)[]) =>
      parts.filter((part) => part !== null && part !== '').join(' · ') || null;

    const tell: Record<StoryLine['kind'], () => [text: string, detail: string | null]> = {
      status: () => [
        simple({ status: status() }),
        join(
          text('doneAt') ? t('story.doneAt', { time: format.time(text('doneAt')) }) : null,
          text('metresAway') ? t('story.away', { distance: format.metres(Number(facts.metresAway)) }) : null,
          text('by') ? t('story.by', { name: text('by') }) : null,
          quoted('reason'),
        ),
      ],
      search_started: () => [simple({ cause: cause() }), null],
      considered: () => [simple({ wave: text('wave'), round: text('round') || '1' }), looked()],
      offered: () => [simple({ km: number('km'), seconds: text('seconds') }), null],
      offer_refused: () => [simple(), null],
      offer_expired: () => [simple(), null],
      offer_withdrawn: () => [simple(), null],
      assigned: () => [assigned(), byPerson],
      nobody_left: () => [simple(), looked()],
      needs_location: () => [simple(), null],
      geocoder_away: () => [simple(), null],
      positions_unknown: () => [simple(), null],
      offers_stopped: () => [simple({ until: format.dateTime(text('until')) }), quoted('reason')],
      abandoned: () => [simple(), quoted('reason')],
      taken_away: () => [simple(), null],
      assignment_undone: () => [
        t(`story.lines.assignment_undone.${text('previous') ? 'previous' : 'search'}`, {
          ...{ driver, previous: text('previous') },
        }),
        byPerson,
      ],
      search_stopped: () => [simple(), text('status') ? status() : null],
      returned: () => [simple(), quoted('reason')],
      time_not_used: () => [simple(), text('doneAt') ? format.dateTimeSeconds(text('doneAt')) : null],
      delivery_confirmed: () => [simple(), quoted('reason')],
      message: () => [
        simple({
          message: t(`messageKinds.${text('message') as MessageKind}`),
          state: t(`story.messageStates.${text('status') as MessageState}`),
        }),
        join(text('to'), text('failure')),
      ],
      webhook: () => [
        simple({
          event: text('event'),
          host: text('host') || t('story.deletedWebhook'),
          state: t(`story.deliveryStates.${text('status') as DeliveryState}`),
        }),
        t('story.attempts', { count: Number(facts.attempts ?? 0) }),
      ],
      charged: () => [simple({ amount: amount() }), null],
      refunded: () => [simple({ amount: amount() }), null],
      driver_paid: () => [simple({ amount: amount() }), null],
      incident_opened: () => [
        simple({ incident: t(`incidentKinds.${text('incident') as IncidentKind}`) }),
        quoted('note'),
      ],
      incident_ended: () => [
        simple({ resolution: t(`story.resolutions.${text('resolution') as IncidentResolution}`) }),
        join(text('leftWith') ? t('story.leftWith', { name: text('leftWith') }) : null, quoted('reason')),
      ],
      report_opened: () => [simple({ report: t(`reportKinds.${text('report') as ReportKind}`) }), quoted('note')],
      proof: () => [
        t(`story.lines.proof.${text('proof') as ProofKind}`),
        text('signerName') ? t('story.signedBy', { name: text('signerName') }) : null,
      ],
      act: () => [simple({ act: nameOfAct(text('act')) }), join(byPerson, quoted('reason'))],
    };
    const [words, detail] = tell[kind]();
    return { text: words, detail };
  };
}

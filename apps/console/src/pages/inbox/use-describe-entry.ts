import type { DriverDocumentKind, InboxEntry, IncidentKind, ReportKind, ShipmentStatus } from '@navette/contract';
import { useFormat } from '@navette/ui/i18n/use-format.ts';
import { useTranslation } from 'react-i18next';

export interface EntryText {
  /** The reason, in one line. */
  why: string;
  /** The account and people concerned, and facts that help to decide. */
  whom: string;
}

/** Puts the facts of an entry into words. A fact that is missing is left out. */
export function useDescribeEntry(): (entry: InboxEntry) => EntryText {
  const { t } = useTranslation('inbox');
  const { t: tCommon } = useTranslation();
  const { t: tDriver } = useTranslation('driver');
  const format = useFormat();
  const duration = (minutes: number) => {
    if (minutes < 60) return t('elapsed.minutes', { count: minutes, minutes: '' });
    const hours = Math.floor(minutes / 60);
    if (hours >= 48) return t('elapsed.days', { count: Math.floor(hours / 24), minutes: '' });
    return t('elapsed.hours', { count: hours, minutes: String(minutes % 60).padStart(2, '0') });
  };

  return ({ kind, subject: { title }, account, facts }) => {
    const text = (name: string) => (typeof facts[name] === 'string' && facts[name] !== '' ? facts[name] : null);
    const count = (name: string) => Number(facts[name] ?? 0);
    const money = (name: string) => format.money(count(name));
    const status = text('status') as ShipmentStatus | null;
    const kmLeft = typeof facts.kmLeft === 'number' ? t('details.kmLeft', { km: format.number(facts.kmLeft) }) : null;
    const onTheRoad = [status && tCommon(`statuses.${status}`), text('driver') ?? t('details.noDriver'), kmLeft];
    const timed = (name: string, key: 'failingSince' | 'lastRefused' | 'firstFound' | 'until') => {
      const at = text(name);
      return at && t(`details.${key}`, { time: format.dayTime(at) });
    };
    const from = text('from');
    const requestedBy = text('requestedBy');

    const describe: Record<InboxEntry['kind'], () => [why: string, details: (string | null)[]]> = {
      code_locked: () => [t('why.code_locked', { title }), [text('driver')]],
      incident_open: () => [
        t('why.incident_open', { title, incident: t(`incidents.${(text('incident') ?? 'other') as IncidentKind}`) }),
        [text('driver'), text('note')],
      ],
      no_driver: () => [
        t('why.no_driver', { title }),
        [from && t('details.from', { place: from }), t('details.asked', { count: count('asked') })],
      ],
      late: () => [t('why.late', { title, duration: duration(count('minutesLate')) }), onTheRoad],
      nearly_late: () => [t('why.nearly_late', { title, duration: duration(count('minutesLeft')) }), onTheRoad],
      driver_silent: () => [
        t('why.driver_silent', { title, duration: duration(count('minutesSilent')), count: count('parcels') }),
        [],
      ],
      no_place: () => [
        t(String(facts.missing).startsWith('pickup') ? 'why.no_place.pickup' : 'why.no_place.delivery', { title }),
        [text('address')],
      ],
      no_pickup_time: () => [t('why.no_pickup_time', { title, count: count('shipments') }), []],
      offers_stopped: () => [
        t('why.offers_stopped', { title, count: count('waiting') }),
        [timed('endsAt', 'until'), text('createdBy')],
      ],
      message_failed: () => [
        t('why.message_failed', {
          title,
          message: t(`messages.${(text('message') ?? 'recipient-sms') as 'recipient-sms'}`),
        }),
        [text('to'), text('failure')],
      ],
      recipient_report: () => [
        t('why.recipient_report', { title, report: t(`reports.${(text('report') ?? 'other') as ReportKind}`) }),
        [],
      ],
      approval_waiting: () => [
        text('act') === 'account.credited'
          ? t('why.approval_waiting.credit', { title, amount: money('amount') })
          : t('why.approval_waiting.delivery', { title }),
        [requestedBy && t('details.requestedBy', { name: requestedBy }), text('reason')],
      ],
      document_expiring: () => [
        t(count('daysLeft') < 0 ? 'why.document_expiring.expired' : 'why.document_expiring.soon', {
          title,
          document: tDriver(`documents.kinds.${(text('document') ?? 'driving_licence') as DriverDocumentKind}`),
          date: format.date(`${text('expiresOn')}T12:00:00Z`),
        }),
        [count('more') > 0 ? t('details.moreDocuments', { count: count('more') }) : null],
      ],
      balance_empty: () => [
        t('why.balance_empty', { title, balance: money('balance'), price: money('refusedPrice') }),
        [timed('lastRefusedAt', 'lastRefused')],
      ],
      webhook_paused: () => [t('why.webhook_paused', { title }), [timed('failingSince', 'failingSince')]],
      webhook_failing: () => [t('why.webhook_failing', { title }), [timed('failingSince', 'failingSince')]],
      audit_finding: () => [t('why.audit_finding', { title }), [timed('firstFoundAt', 'firstFound')]],
      retention_late: () => [t('why.retention_late', { title }), [timed('firstFoundAt', 'firstFound')]],
    };
    const [why, details] = describe[kind]();
    const name = account && account.name !== title ? account.name : null;
    return { why, whom: [name, ...details].filter((part) => part !== null).join(' · ') };
  };
}

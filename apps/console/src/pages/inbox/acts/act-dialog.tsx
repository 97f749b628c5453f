import type { InboxAct, InboxEntry } from '@navette/contract';
import { INBOX_KINDS } from '@navette/contract/console-inbox-kinds';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ActFrame } from '../../../acts/act-frame.tsx';
import { AssignDriver } from '../../../acts/assign-driver.tsx';
import { CloseReport } from '../../../acts/close-report.tsx';
import { ConfirmDelivery } from '../../../acts/confirm-delivery.tsx';
import type { Conflict } from '../../../acts/conflict.ts';
import { LocateAddress } from '../../../acts/locate-address.tsx';
import { ResolveIncident } from '../../../acts/resolve-incident.tsx';
import { LiftZone, ResumeWebhook, RetryMessage } from '../../../acts/simple-acts.tsx';
import { useDescribeEntry } from '../use-describe-entry.ts';
import { AskMerchant } from './ask-merchant.tsx';
import { DecideEntry } from './decide-entry.tsx';
import { OpenSubject } from './open-subject.tsx';
import { ReadRunbook } from './read-runbook.tsx';

interface Props {
  entry: InboxEntry;
  onClose: () => void;
  onConflict: (conflict: Conflict) => void;
}

/** The dialog of an entry's next act. */
export function ActDialog({ entry, onClose, onConflict }: Props) {
  const { t } = useTranslation('acts');
  const { why } = useDescribeEntry()(entry);
  const { act } = INBOX_KINDS[entry.kind];
  const props = { subject: entry.subject, why, onDone: onClose, onConflict };
  const ofEntry = { entry, onDone: onClose };
  const contents: Record<InboxAct, () => ReactNode> = {
    assign: () => <AssignDriver {...props} />,
    // When both are missing, the pickup comes first: the driver search starts from it.
    locate: () => (
      <LocateAddress {...props} address={String(entry.facts.missing).startsWith('pickup') ? 'pickup' : 'delivery'} />
    ),
    confirm_delivery: () => <ConfirmDelivery {...props} />,
    resolve_incident: () => <ResolveIncident {...props} />,
    resume_webhook: () => <ResumeWebhook {...props} />,
    retry_message: () => <RetryMessage {...props} />,
    lift_zone: () => <LiftZone {...props} />,
    close_report: () => <CloseReport {...props} />,
    decide: () => <DecideEntry {...ofEntry} />,
    read_runbook: () => <ReadRunbook {...ofEntry} />,
    open_driver: () => <OpenSubject {...ofEntry} />,
    open_account: () => <OpenSubject {...ofEntry} />,
    call_driver: () => <AskMerchant {...ofEntry} />,
    call_merchant: () => <AskMerchant {...ofEntry} />,
  };
  return (
    <ActFrame title={t(`titles.${act}`, { title: entry.subject.title })} isWide={act === 'assign'} onClose={onClose}>
      {contents[act]()}
    </ActFrame>
  );
}

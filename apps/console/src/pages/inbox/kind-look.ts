import type { InboxKind } from '@navette/contract';
import {
  IconAlertTriangle,
  IconBarrierBlock,
  IconClockExclamation,
  IconClockPause,
  IconDatabaseExclamation,
  IconEraser,
  IconId,
  IconLock,
  IconMapPinOff,
  IconMessageReport,
  IconMessageX,
  IconPlugConnectedX,
  IconPlugX,
  IconRadar2,
  IconTruckOff,
  IconUserCheck,
  IconUserQuestion,
  IconWalletOff,
  type TablerIcon,
} from '@tabler/icons-react';

interface KindLook {
  icon: TablerIcon;
  /** Red: a parcel waits now. Orange: soon, or for a person. Grey: today. */
  colour: 'red' | 'orange' | 'gray';
}

export const KIND_LOOKS: Record<InboxKind, KindLook> = {
  code_locked: { icon: IconLock, colour: 'red' },
  incident_open: { icon: IconAlertTriangle, colour: 'red' },
  no_driver: { icon: IconUserQuestion, colour: 'red' },
  late: { icon: IconClockExclamation, colour: 'red' },
  driver_silent: { icon: IconRadar2, colour: 'red' },
  nearly_late: { icon: IconClockPause, colour: 'orange' },
  no_place: { icon: IconMapPinOff, colour: 'orange' },
  no_pickup_time: { icon: IconTruckOff, colour: 'orange' },
  offers_stopped: { icon: IconBarrierBlock, colour: 'orange' },
  message_failed: { icon: IconMessageX, colour: 'orange' },
  recipient_report: { icon: IconMessageReport, colour: 'orange' },
  approval_waiting: { icon: IconUserCheck, colour: 'orange' },
  document_expiring: { icon: IconId, colour: 'gray' },
  balance_empty: { icon: IconWalletOff, colour: 'gray' },
  webhook_paused: { icon: IconPlugX, colour: 'gray' },
  webhook_failing: { icon: IconPlugConnectedX, colour: 'gray' },
  audit_finding: { icon: IconDatabaseExclamation, colour: 'gray' },
  retention_late: { icon: IconEraser, colour: 'gray' },
};

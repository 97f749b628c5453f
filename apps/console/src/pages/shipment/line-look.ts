import type { StoryKind } from '@navette/contract';
import {
  IconAlertTriangle,
  IconArrowBackUp,
  IconBarrierBlock,
  IconBike,
  IconCamera,
  IconCash,
  IconCircleCheck,
  IconMapQuestion,
  IconMessage,
  IconMessageReport,
  IconRadar,
  IconSend,
  IconUser,
  IconUserOff,
  IconWebhook,
  type TablerIcon,
} from '@tabler/icons-react';

export const STORY_GROUPS = ['journey', 'dispatch', 'contact', 'money', 'staff'] as const;
export type StoryGroup = (typeof STORY_GROUPS)[number];

interface LineLook {
  icon: TablerIcon;
  colour: string;
  group: StoryGroup;
}

const dispatch = (icon: TablerIcon, colour = 'gray'): LineLook => ({ icon, colour, group: 'dispatch' });
const journey = (icon: TablerIcon, colour: string): LineLook => ({ icon, colour, group: 'journey' });
const money: LineLook = { icon: IconCash, colour: 'teal', group: 'money' };

export const LINE_LOOKS: Record<StoryKind, LineLook> = {
  status: journey(IconCircleCheck, 'blue'),
  search_started: dispatch(IconRadar),
  considered: dispatch(IconRadar),
  offered: dispatch(IconSend),
  offer_refused: dispatch(IconUserOff, 'orange'),
  offer_expired: dispatch(IconUserOff, 'orange'),
  offer_withdrawn: dispatch(IconUserOff),
  assigned: dispatch(IconBike, 'cyan'),
  nobody_left: dispatch(IconAlertTriangle, 'red'),
  needs_location: dispatch(IconMapQuestion, 'red'),
  geocoder_away: dispatch(IconMapQuestion, 'orange'),
  positions_unknown: dispatch(IconMapQuestion, 'orange'),
  offers_stopped: dispatch(IconBarrierBlock, 'orange'),
  abandoned: dispatch(IconArrowBackUp, 'orange'),
  taken_away: dispatch(IconArrowBackUp, 'orange'),
  assignment_undone: dispatch(IconArrowBackUp, 'orange'),
  search_stopped: dispatch(IconRadar),
  returned: journey(IconArrowBackUp, 'orange'),
  time_not_used: journey(IconAlertTriangle, 'orange'),
  delivery_confirmed: journey(IconCircleCheck, 'green'),
  message: { icon: IconMessage, colour: 'grape', group: 'contact' },
  webhook: { icon: IconWebhook, colour: 'grape', group: 'contact' },
  charged: money,
  refunded: money,
  driver_paid: money,
  incident_opened: journey(IconAlertTriangle, 'red'),
  incident_ended: journey(IconCircleCheck, 'green'),
  proof: journey(IconCamera, 'green'),
  report_opened: journey(IconMessageReport, 'red'),
  act: { icon: IconUser, colour: 'indigo', group: 'staff' },
};

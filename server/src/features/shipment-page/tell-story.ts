import type {
  RecipientReport,
  ShipmentIncident,
  ShipmentProof,
  ShipmentStatus,
  StoryKind,
  StoryLine,
} from '@navette/contract';
import type { DispatchStep } from '../dispatch/index.ts';

type Facts = StoryLine['facts'];

/** Everything that is stored about one shipment, as its page reads it. */
export interface StorySources {
  history: { status: ShipmentStatus; at: string }[];
  doneAt: Partial<Record<ShipmentStatus, string | null>>;
  cancellation: { reason: string | null; by: string | null } | null;
  /** From the place where the driver took the step to the address, in metres. */
  metresAway: Partial<Record<ShipmentStatus, number>>;
  dispatch: DispatchStep[];
  messages: {
    id: string;
    kind: string;
    channel: string;
    to: string | null;
    status: string;
    failure: string | null;
    resends: number;
    mayResend: boolean;
    createdAt: string;
  }[];
  deliveries: {
    event: string;
    webhookId: string;
    webhookUrl: string | null;
    status: string;
    attempts: number;
    createdAt: Date;
  }[];
  money: { kind: string; amountCents: number; at: Date }[];
  pay: { amountCents: number; at: Date; driver: { id: string; name: string } }[];
  incidents: (ShipmentIncident & { resolvedBy: string | null; reason: string | null })[];
  proofs: ShipmentProof[];
  reports: RecipientReport[];
  acts: { at: Date; act: string; actor: string; reason: string | null }[];
}

const NOTABLE_DELAY_MS = 60_000; // an ordinary request takes less
const SAME_ACT_MS = 5_000; // a decision of the operator and its entry in the log

/** Lines of one instant: the reason comes before its effects. */
const ORDER: StoryKind[] = ['act', 'charged', 'search_started', 'considered', 'offered', 'assigned', 'proof', 'status'];
const rankOf = (kind: StoryKind) => (ORDER.includes(kind) ? ORDER.indexOf(kind) : ORDER.length);

/** One line per thing that happened to a shipment, oldest first. Pure: the same sources give the same story. */
export function tellStory(sources: StorySources): StoryLine[] {
  const lines = [
    ...statusLines(sources),
    ...sources.dispatch.filter((step) => !isInLog(step, sources.acts)).map((step) => dispatchLine(step, sources.acts)),
    ...sources.messages.map(({ id, createdAt, kind, ...facts }) =>
      line(createdAt, 'message', { messageId: id, message: kind, ...facts }),
    ),
    ...sources.deliveries.map(({ createdAt, webhookUrl, ...facts }) =>
      line(createdAt, 'webhook', { ...facts, host: webhookUrl && hostOf(webhookUrl) }),
    ),
    ...sources.money.map(({ kind, amountCents, at }) =>
      line(at, kind === 'charge' ? 'charged' : 'refunded', { amount: Math.abs(amountCents) / 100 }),
    ),
    ...sources.pay.map(({ amountCents, at, driver }) => ({
      ...line(at, 'driver_paid', { amount: amountCents / 100 }),
      driver,
    })),
    ...sources.incidents.flatMap(incidentLines),
    ...sources.proofs.map(({ id, kind, signerName, signerRelation, takenAt }) =>
      line(takenAt, 'proof', { proofId: id, proof: kind, signerName, signerRelation }),
    ),
    // Its end is in the log of acts, with the person's name and the outcome.
    ...sources.reports.map(({ kind, message, reportedAt }) =>
      line(reportedAt, 'report_opened', { report: kind, note: message }),
    ),
    ...sources.acts
      .filter((act) => !isAssignment(act, sources.dispatch))
      .map(({ at, act, actor, reason }) => ({ ...line(at, 'act', { act, reason }), by: actor })),
  ];
  return lines.toSorted((a, b) => a.at.localeCompare(b.at) || rankOf(a.kind) - rankOf(b.kind));
}

function line(at: Date | string, kind: StoryKind, facts: Facts): StoryLine {
  return { at: new Date(at).toISOString(), kind, by: null, driver: null, facts, looked: [] };
}

function statusLines({ history, doneAt, metresAway, cancellation }: StorySources): StoryLine[] {
  return history.map(({ status, at }) => {
    const done = doneAt[status] ?? null;
    const isNotable = done !== null && Date.parse(at) - Date.parse(done) > NOTABLE_DELAY_MS;
    const facts = { status, doneAt: isNotable ? done : null, metresAway: metresAway[status] ?? null };
    return line(at, 'status', status === 'cancelled' ? { ...facts, ...cancellation } : facts);
  });
}

const KINDS: Record<DispatchStep['kind'], StoryKind> = {
  started: 'search_started',
  considered: 'considered',
  offered: 'offered',
  refused: 'offer_refused',
  expired: 'offer_expired',
  withdrawn: 'offer_withdrawn',
  assigned: 'assigned',
  'nobody left': 'nobody_left',
  'needs location': 'needs_location',
  'geocoder away': 'geocoder_away',
  'positions unknown': 'positions_unknown',
  'offers stopped': 'offers_stopped',
  abandoned: 'abandoned',
  'taken away': 'taken_away',
  'assignment undone': 'assignment_undone',
  stopped: 'search_stopped',
  returned: 'returned',
  'time not used': 'time_not_used',
  'delivery confirmed': 'delivery_confirmed',
};

function dispatchLine(step: DispatchStep, acts: StorySources['acts']): StoryLine {
  const { kind, at, driver, metres, seconds, previous, looked, details } = step;
  const facts: Facts = {
    km: metres === null ? null : kmOf(metres),
    seconds,
    previous: previous?.name ?? null,
    how: details.by ?? null,
    cause: details.cause ?? null,
    wave: details.wave ?? null,
    round: details.round ?? null,
    reason: details.reason ?? null,
    status: details.status ?? null,
    doneAt: details.doneAt ?? null,
    why: details.why ?? null,
    until: details.until ?? null,
  };
  const known = Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== null));
  const considered = looked.map((one) => ({ ...one.driver, km: kmOf(one.metres), obstacle: one.obstacle }));
  const by = acts.find((act) => isSame(act, step))?.actor ?? null;
  return { ...line(at, KINDS[kind], known), driver, looked: considered, by };
}

const kmOf = (metres: number) => Math.round(metres / 100) / 10;

/** The log of acts says the same, with the person's name. */
const LOGGED: Partial<Record<DispatchStep['kind'], string>> = {
  'taken away': 'shipment.unassigned',
  'delivery confirmed': 'shipment.delivery_confirmed',
  returned: 'incident.resolved',
};

const isInLog = (step: DispatchStep, acts: StorySources['acts']) =>
  acts.some((act) => LOGGED[step.kind] === act.act && isNear(act, step));

/** An assignment stays as a decision, which names the driver, and takes the person's name from the log. So does its undo. */
const isSame = (act: StorySources['acts'][number], step: DispatchStep) =>
  step.details.by === 'operator' && act.act === SAME_ACTS[step.kind] && isNear(act, step);
const SAME_ACTS: Partial<Record<DispatchStep['kind'], string>> = {
  assigned: 'shipment.assigned',
  'assignment undone': 'shipment.assignment_undone',
};
const isAssignment = (act: StorySources['acts'][number], steps: DispatchStep[]) =>
  steps.some((step) => isSame(act, step));

const isNear = (act: { at: Date }, step: { at: Date }) => Math.abs(act.at.getTime() - step.at.getTime()) < SAME_ACT_MS;

function incidentLines(incident: StorySources['incidents'][number]): StoryLine[] {
  const { kind, note, happenedAt, resolvedAt, resolution, leftWith, resolvedBy, reason } = incident;
  return [
    line(happenedAt, 'incident_opened', { incident: kind, note }),
    ...(resolvedAt ? [line(resolvedAt, 'incident_ended', { resolution, leftWith, endedBy: resolvedBy, reason })] : []),
  ];
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url;
}

import { call } from '../../api/call.ts';
import { wrongByMinutes } from '../../clock/server-clock.ts';
import { isInstalled } from '../../device/install.ts';
import { type Permission, permissionOf } from '../../device/permissions.ts';
import { hasPushSubscription } from '../../device/push.ts';
import type { Texts } from '../../i18n/text.ts';
import { locationStore } from '../../location/location.ts';
import { outboxStore } from '../../outbox/outbox.ts';
import { connectedStore } from '../../realtime/socket.ts';
import { sessionStore, skewStore } from '../../session/session.ts';

export interface DiagnosisLine {
  name: keyof Texts['diagnosis']['lines'];
  value: string;
  isGood: boolean;
}

/** Everything that the operator asks a driver about over the phone. Contains no data of recipients. */
export async function readDiagnosis(values: Values, formatNumber: FormatNumber): Promise<DiagnosisLine[]> {
  const entries = outboxStore.get();
  const waiting = entries.filter(({ state }) => state === 'waiting').length;
  const refused = entries.filter(({ state }) => state === 'refused').length;
  const driver = sessionStore.get()?.driver;
  const worker = await navigator.serviceWorker?.getRegistration();
  const line = (name: DiagnosisLine['name'], value: string, isGood = true): DiagnosisLine => ({ name, value, isGood });
  return [
    line('version', __APP_VERSION__),
    line('driver', driver ? `${driver.firstName} ${driver.lastName}, ${driver.id.slice(-6)}` : '–', Boolean(driver)),
    line('network', navigator.onLine ? values.online : values.offline, navigator.onLine),
    await describeServer(values, line),
    line('realtime', connectedStore.get() ? values.connected : values.polling, connectedStore.get()),
    describeClock(values, line),
    line('outbox', values.waiting(waiting, refused), waiting + refused === 0),
    await describeLocation(values, line),
    await describeNotifications(values, line),
    await describeCamera(values, line),
    line('installed', isInstalled() ? values.installedYes : values.installedNo, isInstalled()),
    line('worker', worker?.active ? values.workerReady : values.workerMissing, Boolean(worker?.active)),
    line('sync', worker?.sync ? values.supported : values.syncMissing),
    await describeStorage(values, line, formatNumber),
    line('phone', `${screen.width} × ${screen.height}, ${navigator.userAgent.replace(/^Mozilla\/5\.0 /, '')}`),
  ];
}

type Values = Texts['diagnosis']['values'];
type FormatNumber = (value: number) => string;
type Line = (name: DiagnosisLine['name'], value: string, isGood?: boolean) => DiagnosisLine;

async function describeServer(values: Values, line: Line): Promise<DiagnosisLine> {
  const start = performance.now();
  const isReached = await call('readSession').then(
    () => true,
    () => false,
  );
  const ms = Math.round(performance.now() - start);
  return line('server', isReached ? values.answers(ms) : values.silent, isReached);
}

function describeClock(values: Values, line: Line): DiagnosisLine {
  const skew = skewStore.get();
  if (skew === null) return line('clock', values.clockUnknown, false);
  const minutes = wrongByMinutes(skew);
  if (minutes === null) return line('clock', values.clockRight);
  return line('clock', minutes > 0 ? values.clockAhead(minutes) : values.clockBehind(-minutes), false);
}

async function describeLocation(values: Values, line: Line): Promise<DiagnosisLine> {
  const { fix } = locationStore.get();
  const permission = await permissionOf('geolocation');
  if (permission === 'granted' && fix) return line('location', values.fix(Math.round(fix.accuracy)));
  return line('location', values[permission], permission === 'granted');
}

async function describeNotifications(values: Values, line: Line): Promise<DiagnosisLine> {
  const permission: Permission = await permissionOf('notifications');
  const isPush = permission === 'granted' && (await hasPushSubscription());
  return line('notifications', isPush ? values.push : values[permission], permission === 'granted');
}

async function describeCamera(values: Values, line: Line): Promise<DiagnosisLine> {
  const permission = await permissionOf('camera');
  return line('camera', values[permission], permission === 'granted');
}

async function describeStorage(values: Values, line: Line, formatNumber: FormatNumber): Promise<DiagnosisLine> {
  const { usage = 0 } = (await navigator.storage?.estimate?.()) ?? {};
  const isPersisted = (await navigator.storage?.persisted?.()) ?? false;
  return line('storage', values.storage(formatNumber(Math.round(usage / 100_000) / 10), isPersisted), isPersisted);
}

import type { ShipmentStatus } from '@navette/contract';
import encodeQR from 'qr';
import { distanceKm } from '../../geography/distance-km.ts';
import type { Language } from '../../http/choose-language.ts';
import type { Arrival } from '../arrival/index.ts';
import type { Aftermath } from './aftermath.ts';
import type { TrackedShipment, Viewer } from './find-tracked-shipment.ts';
import { type Html, html } from './html.ts';
import { icon } from './icons.ts';
import type { LivePosition } from './live-position.ts';
import type { LocalTime } from './local-time.ts';
import { formatDistance, sketch, streetDrawing } from './position-sketch.ts';
import { MAX_NOTE_CHARACTERS } from './recipient-note.ts';
import { type Step, stepsOf } from './steps.ts';
import type { StreetMap } from './street-map.ts';
import type { Words } from './words.ts';

export interface View {
  shipment: TrackedShipment;
  viewer: Viewer;
  position: LivePosition | null;
  /** Streets around the position and the destination; null: a sketch is drawn. */
  streets: StreetMap | null;
  /** When the driver is expected; null while nobody can tell. */
  arrival: Pick<Arrival, 'from' | 'until' | 'stopsBefore'> | null;
  /** The handover, and reports since. */
  aftermath: Aftermath;
  /** The recipient may write to the driver. */
  mayWriteNote: boolean;
  /** The text of a collection's QR code. */
  pickupToken: string | null;
  /** The text of the recipient's QR code, which a driver's phone verifies without network. */
  deliveryQr: string | null;
  language: Language;
  words: Words;
  time: LocalTime;
}

export const isOver = (status: ShipmentStatus) => status === 'delivered' || status === 'cancelled';

export function headlineOf({ shipment, viewer, words }: View): string {
  const { status, driver, history } = shipment;
  const name = driver?.firstName ?? words.someDriver;
  if (status === 'delivered') return viewer === 'contact' ? words.contactDelivered : words.delivered;
  if (status === 'cancelled') return viewer === 'contact' ? words.contactCancelled : words.cancelled;
  if (viewer === 'contact') return words.contact[status](name);
  const again = status === 'created' && history.some((entry) => entry.status === 'assigned');
  return words.headline[again ? 'again' : status](name);
}

export function hero(view: View): Html {
  const { shipment, words } = view;
  const steps = stepsOf(shipment);
  const position = steps.findLastIndex(({ state }) => state !== 'next') + 1;
  return html`<section class="hero ${shipment.status}">
<span class="badge">${icon(shipment.status)}</span>
<h1>${headlineOf(view)}</h1>
<p class="lead">${lead(view)}</p>
${
  shipment.status === 'cancelled'
    ? null
    : html`<div class="progress" role="img" aria-label="${words.progress(position, steps.length)}">${steps.map(
        ({ state }) => html`<i class="${state}"></i>`,
      )}</div>`
}
</section>`;
}

function lead({ shipment, viewer, words, time }: View): string {
  const { status, endedAt, merchantName, isCollection, pickup } = shipment;
  if (status === 'delivered' && endedAt) return words.deliveredAt(time.moment(endedAt));
  if (status === 'cancelled') return words.cancelledHelp(merchantName);
  if (viewer === 'contact') return words.contactFor(merchantName);
  return isCollection ? words.collectedFor(pickup.city) : words.from(merchantName);
}

/** The slot, else the day, else "as soon as possible": an express shipment has no hour that could be promised. */
export function expected(view: View): Html | null {
  const { shipment, viewer, words, time, arrival } = view;
  const { status, slot, estimatedAt, createdAt } = shipment;
  if (
    isOver(status) ||
    (viewer === 'contact' && status !== 'programmed' && status !== 'created' && status !== 'assigned')
  )
    return null;
  if (arrival) return expectedArrival(view);
  const express = estimatedAt === null || estimatedAt.getTime() === createdAt.getTime();
  const [day, hours] = slot
    ? [time.day(slot.startsAt), words.between(time.hour(slot.startsAt), time.hour(slot.endsAt))]
    : express || !estimatedAt || time.daysAhead(estimatedAt) < 0
      ? [words.soon, null]
      : [time.day(estimatedAt), null];
  return html`<section class="card row"><h2>${viewer === 'contact' ? words.contactWhenTitle : words.whenTitle}</h2>
<p class="strong">${day}${hours && html`<span class="hours">, ${hours}</span>`}</p></section>`;
}

/** The window, the first thing to read. The slot stays below it: it is what was promised. */
function expectedArrival({ shipment, position, arrival, words, time }: View): Html | null {
  if (!arrival) return null;
  const { slot } = shipment;
  const [from, until] = [time.time(arrival.from), time.time(arrival.until)];
  const stopsBefore = position ? 0 : arrival.stopsBefore; // a driver whose place is shown has left for this stop
  return html`<section class="card arrival"><h2>${words.arrivalTitle}</h2>
<p class="window"><span class="hidden">${words.between(from, until)}</span><span aria-hidden="true">${from}<i>–</i>${until}</span></p>
<p class="soft">${stopsBefore > 0 ? words.stopsBefore(stopsBefore) : words.arrivalHint}${
    slot && html` ${words.slotPromised(words.between(time.hour(slot.startsAt), time.hour(slot.endsAt)))}`
  }</p></section>`;
}

/** Part of the first response, so that it can be read without network. Left out once the shipment has ended. */
export function code({ shipment, viewer, deliveryQr, words }: View): Html | null {
  const digits = shipment.deliveryCode;
  if (viewer !== 'recipient' || isOver(shipment.status) || digits === null) return null;
  return html`<section class="card"><h2>${words.codeTitle}</h2>
<details id="code"><summary><span class="show">${words.codeShow}</span><span class="hide">${words.codeHide}</span></summary>
<p class="digits"><span class="hidden">${Array.from(digits).join(' ')}</span><span aria-hidden="true">${digits.slice(0, 3)}<b></b>${digits.slice(3)}</span></p>
${deliveryQr && qrPicture(deliveryQr, words.deliveryQrAlt)}</details>
<p class="soft">${words.codeHint}</p></section>`;
}

const QR_BORDER = 3; // modules around the code, as scanners need

/** Inline SVG, without a second request. On white in dark mode too, so that scanners can read it. */
function qrPicture(text: string, alt: string): Html {
  const rows = encodeQR(text, 'raw', { ecc: 'low', border: QR_BORDER });
  return html`<svg class="qr" viewBox="0 0 ${rows.length} ${rows.length}" role="img" aria-label="${alt}" shape-rendering="crispEdges"><path stroke="#000" d="${rows.map(strokesOf).join('')}"/></svg>`;
}

/** A line for each run of dark modules: a quarter of the bytes of one square for each module. */
function strokesOf(row: boolean[], y: number): string {
  let path = '';
  for (let x = 0, from = 0; x <= row.length; x++) {
    if (row[x]) continue;
    if (x > from) path += `M${from} ${y}.5h${x - from}`;
    from = x + 1;
  }
  return path;
}

export function pickupQr({ shipment, viewer, pickupToken, words }: View): Html | null {
  if (viewer !== 'contact' || !pickupToken || shipment.status !== 'assigned') return null;
  return html`<section class="card centre"><h2>${words.qrTitle}</h2>
${qrPicture(pickupToken, words.qrAlt)}
<p class="soft">${words.qrHint}</p></section>`;
}

export function driverCard({ shipment, viewer, position, streets, words, time, language }: View): Html | null {
  const { driver, status } = shipment;
  if (!driver || isOver(status) || (viewer === 'contact' && status !== 'assigned')) return null;
  const destination = shipment.delivery.coordinates;
  if (!position || !destination) {
    return html`<section class="card row driver"><span class="initial" aria-hidden="true">${Array.from(driver.firstName)[0] ?? ''}</span>
<div><h2>${words.driverTitle}</h2><p class="strong">${driver.firstName}</p></div></section>`;
  }
  const distance = formatDistance(distanceKm(destination, position), language === 'fr');
  const away = words.away(distance);
  const { latitude, longitude, at } = position;
  const map = `https://www.openstreetmap.org/?mlat=${latitude.toFixed(5)}&mlon=${longitude.toFixed(5)}#map=16/${latitude.toFixed(5)}/${longitude.toFixed(5)}`;
  return html`<section class="card live"><h2>${words.liveTitle}</h2>
${streets ? streetDrawing(streets, `${driver.firstName}, ${away}`) : sketch(position, destination, `${driver.firstName}, ${away}`)}
<p class="away"><span class="strong">${driver.firstName}, ${away}</span>
<span class="soft"><time data-ago datetime="${at.toISOString()}">${words.positionAt(time.time(at))}</time></span></p>
${streets ? null : html`<p><a class="quiet" href="${map}" rel="noopener noreferrer" target="_blank">${words.map}</a></p>`}</section>`;
}

export function stepList({ shipment, viewer, words, time }: View): Html {
  const names: Record<string, string> = viewer === 'contact' ? { ...words.steps, ...words.contactSteps } : words.steps;
  const states = { done: words.stepDone, now: words.stepNow, next: words.stepNext };
  const line = ({ status, state, at }: Step) =>
    html`<li class="${state} ${status}"><span class="name">${names[status] ?? ''}<span class="hidden"> (${states[state]})</span></span>${
      at && html`<time datetime="${at.toISOString()}">${time.stamp(at)}</time>`
    }</li>`;
  return html`<section class="card"><h2>${words.stepsTitle}</h2><ol class="steps">${stepsOf(shipment).map(line)}</ol></section>`;
}

/** The recipient's own address, to check it before the driver sets off. Left out for the contact of a collection. */
export function deliveryAddress({ shipment, viewer, words }: View): Html | null {
  const { status, delivery } = shipment;
  if (viewer === 'contact' || isOver(status)) return null;
  if (viewer === 'guest') {
    return html`<section class="card"><h2>${words.townTitle}</h2><p class="strong address">${delivery.postalCode} ${delivery.city}</p></section>`;
  }
  return html`<section class="card"><h2>${words.addressTitle}</h2>
<p class="strong address">${delivery.street}<br>${delivery.postalCode} ${delivery.city}</p>
${status === 'picked_up' || status === 'in_transit' ? null : html`<p class="soft">${words.addressHint}</p>`}</section>`;
}

/** Until the end. After it `problemCard` has the same buttons, under the question that people have then. */
export function contact(view: View): Html | null {
  const { shipment, words } = view;
  const buttons = contactButtons(view);
  if (!buttons) return null;
  return html`<section class="card contact"><h2>${words.contactTitle}</h2>
<p class="strong">${shipment.merchantName}</p>${buttons}</section>`;
}

/** To the shop. */
export function contactButtons({ shipment, words }: View): Html | null {
  const { shop } = shipment;
  const phone =
    shop.phone && html`<a class="button" href="tel:${shop.phone.replaceAll(/[^+\d]/g, '')}">${words.call}</a>`;
  const mail =
    shop.email &&
    html`<a class="button" href="mailto:${shop.email}?subject=${encodeURIComponent(`${words.reference} ${shipment.referenceNumber}`)}">${words.write}</a>`;
  return phone || mail ? html`<p class="buttons">${phone}${mail}</p>` : null;
}

/**
 * Outside the part that is polled, so that nothing replaces a text that is being typed. The script hides it once the note
 * can no longer be changed. Works without JavaScript.
 */
export function noteForm({ shipment, mayWriteNote, language, words }: View, path: string): Html | null {
  if (!mayWriteNote) return null;
  return html`<section class="card" id="note-card"><form method="post" action="${path}/note?lang=${language}"><label class="h2" for="note">${words.noteTitle}</label>
<textarea id="note" name="note" rows="2" maxlength="${MAX_NOTE_CHARACTERS}" placeholder="${words.notePlaceholder}">${shipment.recipientNote ?? ''}</textarea>
<button class="button">${words.noteSave}</button></form><p class="soft">${words.noteHint}</p></section>`;
}

/** Once it can no longer be changed. */
export function writtenNote({ shipment, viewer, mayWriteNote, words }: View): Html | null {
  if (viewer !== 'recipient' || mayWriteNote || isOver(shipment.status) || !shipment.recipientNote) return null;
  return html`<section class="card"><h2>${words.noteTitle}</h2><p class="written">${shipment.recipientNote}</p><p class="soft">${words.noteClosed}</p></section>`;
}

import { REPORT_KINDS } from '@navette/contract';
import { MAX_REPORT_CHARACTERS } from '../recipient-reports/index.ts';
import { type Html, html } from './html.ts';
import { contactButtons, type View } from './page-parts.ts';

/** How the parcel was handed over. A photo is loaded when the recipient opens it. */
export function handoverCard({ shipment, aftermath, words, time }: View, path: string): Html | null {
  const { handover } = aftermath;
  if (!handover || !shipment.endedAt) return null;
  const { how, signature, photos } = handover;
  return html`<section class="card"><h2>${words.handoverTitle}</h2>
<p class="strong">${words.handover[how](time.moment(shipment.endedAt))}</p>
${signature && html`<p class="soft">${words.signed[signature.by ?? 'unknown']}</p>`}
${
  photos.length > 0 &&
  html`<details><summary>${words.showPhotos(photos.length)}</summary>${photos.map(
    (id) => html`<img class="photo" loading="lazy" src="${path}/photos/${id}" alt="${words.photoAlt}">`,
  )}</details>`
}</section>`;
}

/** After the end: the shop's contact, and a form that reaches the operator. The page no longer polls, so no text is lost. */
export function problemCard(view: View, path: string): Html | null {
  const { viewer, shipment, words } = view;
  const buttons = contactButtons(view);
  const report = viewer === 'recipient' ? reportPart(view, path) : null;
  if (!buttons && !report) return null;
  return html`<section class="card contact" id="report"><h2>${words.problemTitle}</h2>
${buttons && html`<p class="strong">${shipment.merchantName}</p>${buttons}`}${report}</section>`;
}

function reportPart(view: View, path: string): Html | null {
  const { aftermath, words, time } = view;
  const { report, mayReport } = aftermath;
  const state =
    report &&
    html`<p class="state" role="status">${
      report.closedAt
        ? words.reportClosed(time.moment(report.closedAt))
        : words.reported(time.moment(report.reportedAt))
    }</p>`;
  return state || mayReport ? html`${state}${mayReport && reportForm(view, path)}` : null;
}

function reportForm({ shipment, words, language }: View, path: string): Html {
  const isCancelled = shipment.status === 'cancelled'; // then the parcel itself cannot be at fault
  const kinds = REPORT_KINDS.map(
    (kind) =>
      html`<label class="choice"><input type="radio" name="kind" value="${kind}" required>${words.reportKinds[kind]}</label>`,
  );
  return html`<details><summary>${words.reportOpen}</summary>
<form method="post" action="${path}/report?lang=${language}">${
    isCancelled
      ? html`<input type="hidden" name="kind" value="other">`
      : html`<fieldset><legend class="h2">${words.reportWhat}</legend>${kinds}</fieldset>`
  }<label class="h2" for="message">${words.reportText}</label>
<textarea id="message" name="message" rows="3" maxlength="${MAX_REPORT_CHARACTERS}"${isCancelled && html` required`}></textarea>
<button class="button">${words.reportSend}</button></form><p class="soft">${words.reportHint(shipment.merchantName)}</p></details>`;
}

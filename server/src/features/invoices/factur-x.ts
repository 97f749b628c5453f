import { lastOfMonth } from '../../calendar/local-calendar.ts';
import type { InvoiceLine, InvoiceParty } from '../../database/json-columns.ts';
import { escapeXml } from '../../output-formats/escape-xml.ts';
import { serviceOf, type Words, wordsIn } from './invoice-words.ts';
import type { InvoiceDocument } from './read-invoices.ts';

/** The profile whose data is that of EN 16931. */
const PROFILE = 'urn:cen.eu:en16931:2017';
const SERVICES = 'S1'; // French business process (BT-23): an invoice of services
const SIREN = '0002'; // identifier schemes of ISO 6523
const SIREN_ADDRESS = '0225';
const SHIPMENT_UNIT = 'C62'; // one

/**
 * The invoice as data: a CII document with the fields of EN 16931, and the notes that French rules ask for. Element order is that of
 * the schema. A line’s price is that of all its shipments (BT-149), because shipments of one day differ in price.
 */
export function facturX(document: InvoiceDocument): string {
  const words = wordsIn(document.language);
  return `<?xml version="1.0" encoding="UTF-8"?>
<rsm:CrossIndustryInvoice xmlns:rsm="urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100" xmlns:ram="urn:un:unece:uncefact:data:standard:ReusableAggregateBusinessInformationEntity:100" xmlns:qdt="urn:un:unece:uncefact:data:standard:QualifiedDataType:100" xmlns:udt="urn:un:unece:uncefact:data:standard:UnqualifiedDataType:100">
<rsm:ExchangedDocumentContext>
<ram:BusinessProcessSpecifiedDocumentContextParameter><ram:ID>${SERVICES}</ram:ID></ram:BusinessProcessSpecifiedDocumentContextParameter>
<ram:GuidelineSpecifiedDocumentContextParameter><ram:ID>${PROFILE}</ram:ID></ram:GuidelineSpecifiedDocumentContextParameter>
</rsm:ExchangedDocumentContext>
<rsm:ExchangedDocument>
<ram:ID>${escapeXml(document.number)}</ram:ID>
<ram:TypeCode>${document.kind === 'invoice' ? '380' : '381'}</ram:TypeCode>
<ram:IssueDateTime>${day(document.issuedOn)}</ram:IssueDateTime>
${notesOf(document, words)}
</rsm:ExchangedDocument>
<rsm:SupplyChainTradeTransaction>
${document.lines.map((line, i) => lineOf(document, line, i + 1, words)).join('\n')}
<ram:ApplicableHeaderTradeAgreement>
<ram:SellerTradeParty>${partyOf(document.seller, document.seller.legalForm)}</ram:SellerTradeParty>
<ram:BuyerTradeParty>${partyOf(document.buyer)}</ram:BuyerTradeParty>
</ram:ApplicableHeaderTradeAgreement>
<ram:ApplicableHeaderTradeDelivery/>
${settlementOf(document, words)}
</rsm:SupplyChainTradeTransaction>
</rsm:CrossIndustryInvoice>
`;
}

/** Subject codes of UNTDID 4451: recovery costs, penalties, discount (all required in France), and free text. */
function notesOf(document: InvoiceDocument, words: Words): string {
  const notes: [code: string | null, text: string][] = [
    ['PMT', words.lateFee],
    ['PMD', words.penalty],
    ['AAB', words.noDiscount],
    ...(document.replaces ? [[null, words.replaces(document.replaces)] as [null, string]] : []),
    ...(document.note ? [[null, words.reason(document.note)] as [null, string]] : []),
  ];
  return notes
    .map(([code, text]) => {
      const subject = code ? `<ram:SubjectCode>${code}</ram:SubjectCode>` : '';
      return `<ram:IncludedNote><ram:Content>${escapeXml(text)}</ram:Content>${subject}</ram:IncludedNote>`;
    })
    .join('\n');
}

function lineOf(document: InvoiceDocument, line: InvoiceLine, id: number, words: Words): string {
  const name = words.lineOn(serviceOf(document, words), words.date(line.day));
  const quantity = `unitCode="${SHIPMENT_UNIT}">${line.shipments}`;
  return `<ram:IncludedSupplyChainTradeLineItem>
<ram:AssociatedDocumentLineDocument><ram:LineID>${id}</ram:LineID></ram:AssociatedDocumentLineDocument>
<ram:SpecifiedTradeProduct><ram:Name>${escapeXml(name)}</ram:Name></ram:SpecifiedTradeProduct>
<ram:SpecifiedLineTradeAgreement><ram:NetPriceProductTradePrice><ram:ChargeAmount>${euros(line.netCents)}</ram:ChargeAmount><ram:BasisQuantity ${quantity}</ram:BasisQuantity></ram:NetPriceProductTradePrice></ram:SpecifiedLineTradeAgreement>
<ram:SpecifiedLineTradeDelivery><ram:BilledQuantity ${quantity}</ram:BilledQuantity></ram:SpecifiedLineTradeDelivery>
<ram:SpecifiedLineTradeSettlement>
<ram:ApplicableTradeTax><ram:TypeCode>VAT</ram:TypeCode><ram:CategoryCode>${categoryOf(document)}</ram:CategoryCode><ram:RateApplicablePercent>${percentOf(document)}</ram:RateApplicablePercent></ram:ApplicableTradeTax>
<ram:SpecifiedTradeSettlementLineMonetarySummation><ram:LineTotalAmount>${euros(line.netCents)}</ram:LineTotalAmount></ram:SpecifiedTradeSettlementLineMonetarySummation>
</ram:SpecifiedLineTradeSettlement>
</ram:IncludedSupplyChainTradeLineItem>`;
}

function partyOf(party: InvoiceParty, legalForm: string | null = null): string {
  const { name, street, postalCode, city, country, siren, vatId } = party;
  const registration = vatId ? ['VA', vatId] : legalForm !== null && siren ? ['FC', siren] : null;
  return [
    `<ram:Name>${escapeXml(name)}</ram:Name>`,
    legalForm && `<ram:Description>${escapeXml(legalForm)}</ram:Description>`,
    siren &&
      `<ram:SpecifiedLegalOrganization><ram:ID schemeID="${SIREN}">${siren}</ram:ID></ram:SpecifiedLegalOrganization>`,
    '<ram:PostalTradeAddress>',
    postalCode && `<ram:PostcodeCode>${escapeXml(postalCode)}</ram:PostcodeCode>`,
    street && `<ram:LineOne>${escapeXml(street)}</ram:LineOne>`,
    city && `<ram:CityName>${escapeXml(city)}</ram:CityName>`,
    `<ram:CountryID>${country}</ram:CountryID></ram:PostalTradeAddress>`,
    siren &&
      `<ram:URIUniversalCommunication><ram:URIID schemeID="${SIREN_ADDRESS}">${siren}</ram:URIID></ram:URIUniversalCommunication>`,
    registration &&
      `<ram:SpecifiedTaxRegistration><ram:ID schemeID="${registration[0]}">${registration[1]}</ram:ID></ram:SpecifiedTaxRegistration>`,
  ]
    .filter(Boolean)
    .join('');
}

function settlementOf(document: InvoiceDocument, words: Words): string {
  const { seller, month, dueOn, corrects, correctsIssuedOn, netCents, vatCents, roundingCents } = document;
  const { grossCents, paidCents } = document;
  const exemption =
    categoryOf(document) === 'E' ? `<ram:ExemptionReason>${escapeXml(words.noVat)}</ram:ExemptionReason>` : '';
  return [
    '<ram:ApplicableHeaderTradeSettlement>',
    '<ram:InvoiceCurrencyCode>EUR</ram:InvoiceCurrencyCode>',
    dueOn &&
      seller.iban &&
      `<ram:SpecifiedTradeSettlementPaymentMeans><ram:TypeCode>30</ram:TypeCode><ram:PayeePartyCreditorFinancialAccount><ram:IBANID>${seller.iban}</ram:IBANID></ram:PayeePartyCreditorFinancialAccount></ram:SpecifiedTradeSettlementPaymentMeans>`,
    `<ram:ApplicableTradeTax><ram:CalculatedAmount>${euros(vatCents)}</ram:CalculatedAmount><ram:TypeCode>VAT</ram:TypeCode>${exemption}<ram:BasisAmount>${euros(netCents)}</ram:BasisAmount><ram:CategoryCode>${categoryOf(document)}</ram:CategoryCode><ram:RateApplicablePercent>${percentOf(document)}</ram:RateApplicablePercent></ram:ApplicableTradeTax>`,
    `<ram:BillingSpecifiedPeriod><ram:StartDateTime>${day(`${month}-01`)}</ram:StartDateTime><ram:EndDateTime>${day(lastOfMonth(`${month}-01`))}</ram:EndDateTime></ram:BillingSpecifiedPeriod>`,
    `<ram:SpecifiedTradePaymentTerms><ram:Description>${escapeXml(termsOf(document, words))}</ram:Description>${dueOn ? `<ram:DueDateDateTime>${day(dueOn)}</ram:DueDateDateTime>` : ''}</ram:SpecifiedTradePaymentTerms>`,
    '<ram:SpecifiedTradeSettlementHeaderMonetarySummation>',
    `<ram:LineTotalAmount>${euros(netCents)}</ram:LineTotalAmount>`,
    `<ram:TaxBasisTotalAmount>${euros(netCents)}</ram:TaxBasisTotalAmount>`,
    `<ram:TaxTotalAmount currencyID="EUR">${euros(vatCents)}</ram:TaxTotalAmount>`,
    roundingCents !== 0 && `<ram:RoundingAmount>${euros(roundingCents)}</ram:RoundingAmount>`,
    `<ram:GrandTotalAmount>${euros(netCents + vatCents)}</ram:GrandTotalAmount>`,
    `<ram:TotalPrepaidAmount>${euros(paidCents)}</ram:TotalPrepaidAmount>`,
    `<ram:DuePayableAmount>${euros(grossCents - paidCents)}</ram:DuePayableAmount>`,
    '</ram:SpecifiedTradeSettlementHeaderMonetarySummation>',
    corrects &&
      correctsIssuedOn &&
      `<ram:InvoiceReferencedDocument><ram:IssuerAssignedID>${escapeXml(corrects)}</ram:IssuerAssignedID><ram:FormattedIssueDateTime><qdt:DateTimeString format="102">${compact(correctsIssuedOn)}</qdt:DateTimeString></ram:FormattedIssueDateTime></ram:InvoiceReferencedDocument>`,
    '</ram:ApplicableHeaderTradeSettlement>',
  ]
    .filter(Boolean)
    .join('\n');
}

function termsOf({ dueOn, kind }: InvoiceDocument, words: Words): string {
  if (dueOn) return words.terms(words.date(dueOn));
  return kind === 'invoice' ? words.settled : words.credited;
}

/** Standard rate, or exempt. */
const categoryOf = ({ vatBasisPoints }: InvoiceDocument) => (vatBasisPoints > 0 ? 'S' : 'E');
const percentOf = ({ vatBasisPoints }: InvoiceDocument) => (vatBasisPoints / 100).toFixed(2);
const euros = (cents: number) => (cents / 100).toFixed(2);
const compact = (date: string) => date.replaceAll('-', '');
const day = (date: string) => `<udt:DateTimeString format="102">${compact(date)}</udt:DateTimeString>`;

/**
 * Arithmetic and presence rules of EN 16931 and of the French CTC profile, by their published names, as this project reads them.
 * They are not the official Schematron files, which are not to be had: docs/decisions/invoices.md.
 */
export function brokenRules(xml: string): string[] {
  const all = (element: string, within = xml) =>
    [...within.matchAll(new RegExp(`<ram:${element}(?: [^>]*)?>([^<]*)</ram:${element}>`, 'g'))].map(
      ([, text = '']) => text,
    );
  const cents = (element: string, within = xml) => Math.round(Number(all(element, within)[0] ?? 0) * 100);
  const parts = (element: string) =>
    [...xml.matchAll(new RegExp(`<ram:${element}>(.*?)</ram:${element}>`, 'gs'))].map(([, inner = '']) => inner);
  const lines = parts('IncludedSupplyChainTradeLineItem').map((line) => cents('LineTotalAmount', line));
  const [settlement = ''] = parts('ApplicableHeaderTradeSettlement');
  const [totals = ''] = parts('SpecifiedTradeSettlementHeaderMonetarySummation');
  const [tax = ''] = settlement.match(/<ram:ApplicableTradeTax>.*?<\/ram:ApplicableTradeTax>/s) ?? [];
  const total = (element: string) => cents(element, totals);
  const rate = Number(all('RateApplicablePercent', tax)[0] ?? 0);
  const category = all('CategoryCode', tax)[0];
  const [seller = ''] = parts('SellerTradeParty');
  const subjects = all('SubjectCode');
  const rules: Record<string, boolean> = {
    'BR-02': all('ID').some((id) => id.length > 0),
    'BR-16': lines.length > 0,
    'BR-CO-10': total('LineTotalAmount') === lines.reduce((sum, line) => sum + line, 0),
    'BR-CO-13': total('TaxBasisTotalAmount') === total('LineTotalAmount'),
    'BR-CO-14': total('TaxTotalAmount') === cents('CalculatedAmount', tax),
    'BR-CO-15': total('GrandTotalAmount') === total('TaxBasisTotalAmount') + total('TaxTotalAmount'),
    'BR-CO-16':
      total('DuePayableAmount') === total('GrandTotalAmount') - total('TotalPrepaidAmount') + total('RoundingAmount'),
    'BR-CO-17': cents('CalculatedAmount', tax) === Math.round((cents('BasisAmount', tax) * rate) / 100),
    'BR-CO-25': total('DuePayableAmount') === 0 || settlement.includes('<ram:DueDateDateTime>'),
    'BR-S-02': category !== 'S' || /schemeID="(VA|FC)"/.test(seller),
    'BR-E-10': category !== 'E' || all('ExemptionReason', tax).length > 0,
    'BR-FR-05': ['PMT', 'PMD', 'AAB'].every((code) => subjects.includes(code)),
    'BR-FR-08': all('ID').includes('S1'),
  };
  return Object.keys(rules).filter((rule) => !rules[rule]);
}

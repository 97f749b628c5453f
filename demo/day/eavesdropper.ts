/** Hears every answer and every webhook, and remembers what looks like a delivery code: six figures on their own. */
export interface Eavesdropper {
  hear: (text: string) => void;
  /** Which of these codes somebody said who should not. */
  caught(codes: Iterable<string>): string[];
  /** How often the field itself was named. */
  named(): number;
}

const SIX_FIGURES = /(?<![\w.+-])\d{6}(?![\w.-])/g;

export function placeEavesdropper(): Eavesdropper {
  const heard = new Set<string>();
  let named = 0;
  return {
    hear(text) {
      if (text.includes('deliveryCode')) named++;
      for (const [figures] of text.matchAll(SIX_FIGURES)) heard.add(figures);
    },
    caught: (codes) => [...codes].filter((code) => heard.has(code)),
    named: () => named,
  };
}

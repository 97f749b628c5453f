import type { ImportColumn, Language } from '@navette/contract';
import type { LineError } from './judge-line.ts';

/** What the French sentence of an error says, by the rule that is broken or the slug of the refusal. */
const ENGLISH: Record<string, string> = {
  required: 'Please fill in.',
  minLength: 'Please fill in.',
  maxLength: 'Too long.',
  pattern: 'Please fill in.',
  type: 'Cannot be read.',
  format: 'Not in the right format.',
  exclusiveMinimum: 'Must be above zero.',
  minimum: 'Too small.',
  maximum: 'Too large.',
  DATE_WITHOUT_SLOT: 'A date needs a slot.',
  SLOT_WITHOUT_DATE: 'A slot needs a date.',
  UNKNOWN_SLOT: 'Not a slot of the account, nor one such as 14h-16h.',
  SLOT_PASSED: 'This slot has begun: choose a later one.',
  CLIENT_TYPE_REQUIRED: 'The account’s client type is not set yet.',
  CONTRACT_SIGNATURE_REQUIRED: 'The account’s contract is not signed yet.',
  PICKUP_ADDRESS_REQUIRED: 'The account has no pickup address.',
  ACCOUNT_SUSPENDED: 'The account is suspended.',
  PAYMENT_REQUIRED: 'A payment is due.',
  INSUFFICIENT_BALANCE: 'The balance did not cover it.',
  OVER_CREDIT_LIMIT: 'It would have exceeded the credit limit.',
  SETTINGS_CHANGED: 'The account’s settings changed at that moment.',
};
/** For what has no sentence of its own: the column says where to look. */
const OTHER = 'Refused: check this value.';
const KIND = 'Must be “delivery” or “collection”.';

const NOT_REACHED = {
  fr: 'Non importée : l’import a été arrêté.',
  en: 'Not imported: the import was stopped.',
} as const;

/** Why a line was not created, each error under the name that its column has in the merchant's own file. */
export function wordErrors(
  errors: readonly LineError[] | null,
  columns: readonly ImportColumn[],
  language: Language,
): string {
  if (!errors) return NOT_REACHED[language];
  return errors
    .map((error) => {
      const column = columns.find(({ field }) => field === error.field)?.header ?? error.field;
      const sentence = language === 'fr' ? error.message : inEnglish(error);
      return column ? `${column}${language === 'fr' ? ' :' : ':'} ${sentence}` : sentence;
    })
    .join(' ');
}

const inEnglish = ({ field, rule }: LineError) => (field === 'kind' ? KIND : (ENGLISH[rule] ?? OTHER));

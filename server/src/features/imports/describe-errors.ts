import type { ImportColumn, Language } from '@navette/contract';
import type { LineError } from '../../database/json-columns.ts';

/** English messages by violated rule or refusal slug; the French ones are part of the errors. */
const ENGLISH: Record<string, string> = {
  required: 'Required.',
  minLength: 'Required.',
  maxLength: 'Too long.',
  pattern: 'Required.',
  type: 'Invalid value.',
  format: 'Invalid format.',
  exclusiveMinimum: 'Must be greater than zero.',
  minimum: 'Too small.',
  maximum: 'Too large.',
  DATE_WITHOUT_SLOT: 'A date needs a time slot.',
  SLOT_WITHOUT_DATE: 'A time slot needs a date.',
  UNKNOWN_SLOT: 'Not one of the account’s time slots, nor one such as 14h-16h.',
  SLOT_PASSED: 'This time slot has already started: choose a later one.',
  CLIENT_TYPE_REQUIRED: 'The account’s client type is not set yet.',
  CONTRACT_SIGNATURE_REQUIRED: 'The account’s contract is not signed yet.',
  PICKUP_ADDRESS_REQUIRED: 'The account has no pickup address.',
  ACCOUNT_SUSPENDED: 'The account is suspended.',
  PAYMENT_REQUIRED: 'A payment is due.',
  INSUFFICIENT_BALANCE: 'The balance did not cover it.',
  OVER_CREDIT_LIMIT: 'It would have exceeded the credit limit.',
  SETTINGS_CHANGED: 'The account settings changed at that moment.',
};
/** For other rules: the column title says where to look. */
const OTHER = 'Rejected: check this value.';
const KIND = 'Must be “delivery” or “collection”.';

const NOT_REACHED = {
  fr: 'Non importée : l’import a été arrêté.',
  en: 'Not imported: the import was stopped.',
} as const;

/** Why a line was not created: each error with the column title of the merchant's own file. */
export function describeErrors(
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

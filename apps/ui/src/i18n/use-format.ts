import { useTranslation } from 'react-i18next';
import { createFormat, type Format } from '../formats.ts';

const formats = new Map<string, Format>();

/** One for all components: to create the formatters of a row takes longer than to draw it. */
export function useFormat(): Format {
  const { language } = useTranslation().i18n;
  const format = formats.get(language) ?? createFormat(language);
  formats.set(language, format);
  return format;
}

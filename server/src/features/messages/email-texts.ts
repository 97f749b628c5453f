import type { Language } from '@navette/contract';
import { type Email, layOutEmail } from '../../output-formats/email-layout.ts';
import type { EmailFacts, EmailKind, EmailTexts } from './email-facts.ts';
import { ENGLISH_EMAILS } from './email-texts-en.ts';
import { FRENCH_EMAILS } from './email-texts-fr.ts';

const TEXTS: Record<Language, EmailTexts> = { fr: FRENCH_EMAILS, en: ENGLISH_EMAILS };

export function writeEmail(kind: EmailKind, facts: EmailFacts, language: Language): Email {
  const { subject, ...content } = TEXTS[language][kind](facts);
  return layOutEmail(subject, content, language);
}

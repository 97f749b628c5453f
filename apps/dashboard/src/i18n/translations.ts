import type { Texts } from '@navette/ui/i18n/texts.ts';
import type fr from './fr/index.ts';

export type Translations = Texts<typeof fr>;

import { CONSOLE_SLUGS, type ConsoleErrorExtra, type ConsoleErrorSlug } from '@navette/contract';
import { Refusal } from './refusal.ts';

type ExtraArguments<S extends ConsoleErrorSlug> = keyof ConsoleErrorExtra<S> extends never
  ? []
  : [extra: ConsoleErrorExtra<S>];

/** Refuses with a slug of the console. */
export function refuseConsole<S extends ConsoleErrorSlug>(slug: S, ...[extra]: ExtraArguments<S>): never {
  const { status, message } = CONSOLE_SLUGS[slug];
  throw new Refusal(status, { error: slug, message, ...extra });
}

/** Refuses an act that the current state does not allow, and says why, for people. */
export function refuseNotPossible(why: string): never {
  const { status, message } = CONSOLE_SLUGS.NOT_POSSIBLE_NOW;
  throw new Refusal(status, { error: 'NOT_POSSIBLE_NOW', message: `${message} ${why}` });
}

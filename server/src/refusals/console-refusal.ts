import { CONSOLE_SLUGS, type ConsoleErrorExtra, type ConsoleErrorSlug, type WhyNot } from '@navette/contract';
import { Refusal } from './refusal.ts';

type ExtraArguments<S extends ConsoleErrorSlug> = keyof ConsoleErrorExtra<S> extends never
  ? []
  : [extra: ConsoleErrorExtra<S>];

/** Refuses with a slug of the console. */
export function refuseConsole<S extends ConsoleErrorSlug>(slug: S, ...[extra]: ExtraArguments<S>): never {
  const { status, message } = CONSOLE_SLUGS[slug];
  throw new Refusal(status, { error: slug, message, ...extra });
}

/** Refuses an act that the current state does not allow, and says why: in French, and by a name that the app translates. */
export function refuseNotPossible(why: WhyNot): never {
  const { status, message } = CONSOLE_SLUGS.NOT_POSSIBLE_NOW;
  throw new Refusal(status, { error: 'NOT_POSSIBLE_NOW', message: `${message} ${REASONS[why]}`, why });
}

const REASONS: Record<WhyNot, string> = {
  account_closed: 'Ce compte est clos.',
  driver_disabled: 'Ce livreur est désactivé.',
  driver_has_no_email: 'Ce livreur n’a pas d’adresse e-mail.',
  driver_number_refused: 'Aucun SMS ne peut partir vers ce numéro.',
  email_taken: 'Cette adresse e-mail est déjà utilisée.',
  last_owner: 'C’est le dernier propriétaire du compte.',
  not_deliverable: 'Cet envoi ne peut pas être livré.',
  not_picked_up: 'Le livreur n’a pas encore ce colis.',
  over_confirmation_limit:
    'Vous avez confirmé aujourd’hui autant de livraisons sans code que permis : confirmez avec une seconde personne.',
  message_not_sendable: 'Ce message ne peut plus être renvoyé.',
  message_sent_recently: 'Un message a déjà été renvoyé il y a moins d’une heure.',
  message_sent_too_often: 'Les messages de cet envoi ont déjà été renvoyés trois fois : appelez le destinataire.',
  not_in_euros: 'Seuls des euros peuvent être crédités : rejetez ce paiement et remboursez-le dans Stripe.',
  number_refused: 'Aucun SMS ne peut partir vers ce numéro : appelez la personne.',
  payer_unknown: 'Aucun compte ne porte cette référence : vérifiez-la.',
  received_in_future: 'Cette date est dans le futur.',
  report_closed: 'Ce signalement est déjà clos.',
  request_id_invalid: 'L’identifiant de la demande n’est pas un UUID.',
  request_id_taken: 'Une autre demande porte cet identifiant.',
  resend_period_invalid: 'Cette période est vide, ou commence il y a plus de 28 jours.',
  resend_running: 'Un renvoi est déjà en cours pour ce webhook.',
  slot_passed: 'Ce créneau a déjà commencé.',
  slot_unknown: 'Créneau non reconnu.',
  slot_without_date: 'Ce créneau n’a pas de date.',
  date_without_slot: 'Cette date n’a pas de créneau.',
  team_full: 'L’équipe est complète.',
  too_many_zones: 'Trop de zones : levez-en une d’abord.',
  webhook_not_paused: 'Ce webhook n’est pas en pause.',
  webhook_paused: 'Ce webhook est en pause : réactivez-le d’abord.',
  zone_lifted: 'Cette zone est levée.',
  shipment_programmed: 'L’envoi est programmé.',
  shipment_created: 'L’envoi n’a pas de livreur.',
  shipment_assigned: 'L’envoi est attribué.',
  shipment_picked_up: 'Le colis est pris en charge.',
  shipment_in_transit: 'Le colis est en route.',
  shipment_delivered: 'Le colis est livré.',
  shipment_cancelled: 'L’envoi est annulé.',
};

export default {
  title: 'Messages aux destinataires',
  text: 'Ce que vos clients reçoivent pendant la livraison. Chaque message part une seule fois par envoi.',
  language: {
    title: 'Langue des messages',
    text: 'Par défaut, les messages sont en français et la page de suivi s’ouvre dans la langue du téléphone. Un envoi peut choisir une autre langue dans metadata.locale, par exemple « en ».',
    default: 'Par défaut',
    names: { fr: 'Français', en: 'Anglais' },
  },
  list: 'Messages',
  email: 'E-mail',
  sms: 'SMS',
  always: 'Toujours envoyé',
  preview: 'Aperçu',
  previewOf: 'Aperçu : {{message}}',
  previewLanguage: 'Langue de l’aperçu',
  part: 'Version du message',
  parts: { html: 'Mise en page', text: 'Texte seul' },
  invented: 'L’envoi et le destinataire de cet aperçu sont inventés.',
  segments_one: 'Compté comme {{count}} SMS.',
  segments_other: 'Compté comme {{count}} SMS.',
  saved: 'Messages mis à jour',
  smsToday_one: '{{count}} SMS aujourd’hui, {{most}} au plus par jour.',
  smsToday_other: '{{count}} SMS aujourd’hui, {{most}} au plus par jour.',
  kinds: {
    'booked-email': {
      title: 'Créneau réservé',
      text: 'À la création d’un envoi avec créneau. Pour une collecte, à son contact.',
    },
    'recipient-sms': {
      title: 'Suivi et code, par SMS',
      text: 'À la création d’un envoi express, sinon quand l’envoi est attribué à un livreur.',
    },
    'recipient-email': { title: 'Suivi et code, par e-mail', text: 'En même temps que le SMS.' },
    'collection-sms': {
      title: 'Collecte, par SMS',
      text: 'Au contact d’une collecte, quand elle est attribuée à un livreur.',
    },
    'collection-email': { title: 'Collecte, par e-mail', text: 'En même temps, avec le QR code d’enlèvement.' },
    'next-email': {
      title: 'Prochain arrêt',
      text: 'Quand le livreur est en route vers le destinataire, avec l’heure d’arrivée estimée.',
    },
    'soon-sms': {
      title: 'Dans environ dix minutes',
      text: 'Un second SMS, peu avant l’arrivée. Il compte dans vos SMS du jour.',
    },
    'delivered-email': {
      title: 'Colis livré',
      text: 'À la livraison, avec la façon dont elle a été confirmée. Pour une collecte, à son contact.',
    },
    'cancelled-email': {
      title: 'Livraison annulée',
      text: 'À l’annulation, si un message avait annoncé le colis.',
    },
  },
};

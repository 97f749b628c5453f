import shared from '@navette/ui/i18n/fr/session.ts';

export default {
  ...shared,
  signIn: {
    ...shared.signIn,
    firstTime: 'Pas encore d’accès ? Un administrateur peut vous inviter depuis la page Équipe.',
    singleSignOn: 'Se connecter avec {{name}}',
    or: 'ou avec un mot de passe',
  },
  invitation: {
    ...shared.invitation,
    title: 'Rejoindre la console',
    text: '{{who}} vous invite à la console de l’opérateur, avec le rôle « {{role}} ».',
  },
  setUp: {
    title: 'Activez la double authentification',
    text: 'La console donne accès aux adresses des destinataires : un code de votre téléphone s’ajoute donc toujours au mot de passe.',
  },
};

export default {
  menu: 'Menu',
  skipToPage: 'Aller au contenu',
  signOut: 'Se déconnecter',
  profile: 'Mon profil',
  useLightColours: 'Passer en thème clair',
  useDarkColours: 'Passer en thème sombre',
  notFound: {
    title: 'Cette page n’existe pas',
    text: 'L’adresse est peut-être incomplète, ou cette page a été supprimée.',
    back: 'Revenir à l’accueil',
  },
};

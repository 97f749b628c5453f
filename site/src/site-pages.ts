/** The pages of the site, in the order of its navigation. One table: navigation, links, search and tests use it. */

export const LANGUAGES = ['en', 'fr'] as const;
export type Language = (typeof LANGUAGES)[number];
export type Texts = Record<Language, string>;

export type Group = 'start' | 'guides' | 'libraries' | 'reference' | 'changes';

interface Source {
  /** Path in the repository. */
  file: string;
  /** Only this section of the file; its heading becomes the page's title. */
  section?: string;
  /** The file without this section, which is a page of its own. */
  without?: string;
}

export interface GuidePage {
  id: string;
  group: Group;
  title: Texts;
  /** One sentence for the first page and for search engines. */
  summary: Texts;
  source: Source;
  /** Absent: the page exists in English only, and the French site shows it so. */
  french?: string;
}

const translated = (name: string) => ({ source: { file: `docs/${name}.md` }, french: `docs/fr/${name}.md` });

export const GUIDES: GuidePage[] = [
  {
    id: 'quick-start',
    group: 'start',
    title: { en: 'Quick start', fr: 'Démarrage rapide' },
    summary: {
      en: 'From a test key to a verified webhook, with curl and Node.js.',
      fr: 'D’une clé de test à un webhook vérifié, avec curl et Node.js.',
    },
    ...translated('quick-start'),
  },
  {
    id: 'test-mode',
    group: 'start',
    title: { en: 'Test mode', fr: 'Mode test' },
    summary: {
      en: 'Robot couriers, chosen faults and webhooks with defects, without charge.',
      fr: 'Livreurs robots, pannes choisies et webhooks défectueux, sans frais.',
    },
    ...translated('test-mode'),
  },
  {
    id: 'going-live',
    group: 'start',
    title: { en: 'Going live', fr: 'Passer en production' },
    summary: {
      en: 'The check list before your first real parcel.',
      fr: 'La liste à vérifier avant votre premier vrai colis.',
    },
    ...translated('going-live'),
  },
  {
    id: 'idempotency',
    group: 'guides',
    title: { en: 'Idempotency', fr: 'Idempotence' },
    summary: {
      en: 'Repeat a creation after any failure without creating a second shipment.',
      fr: 'Répéter une création après une panne sans créer un second envoi.',
    },
    ...translated('idempotency'),
  },
  {
    id: 'errors',
    group: 'guides',
    title: { en: 'Errors', fr: 'Erreurs' },
    summary: {
      en: 'Every error, its cause and what to do.',
      fr: 'Chaque erreur, sa cause et le remède.',
    },
    ...translated('errors'),
  },
  {
    id: 'webhooks',
    group: 'guides',
    title: { en: 'Webhooks', fr: 'Webhooks' },
    summary: {
      en: 'Subscribe, verify signatures, respond, and find a missing event.',
      fr: 'S’abonner, vérifier les signatures, répondre, retrouver un événement manquant.',
    },
    ...translated('webhooks'),
  },
  {
    id: 'labels',
    group: 'guides',
    title: { en: 'Labels', fr: 'Étiquettes' },
    summary: {
      en: 'Print one label, or many in one PDF.',
      fr: 'Imprimer une étiquette, ou plusieurs en un seul PDF.',
    },
    ...translated('labels'),
  },
  {
    id: 'pagination',
    group: 'guides',
    title: { en: 'Lists and pages', fr: 'Listes et pages' },
    summary: {
      en: 'Read long lists page by page, with a cursor.',
      fr: 'Lire de longues listes page par page, avec un curseur.',
    },
    ...translated('pagination'),
  },
  {
    id: 'limits',
    group: 'guides',
    title: { en: 'Limits', fr: 'Limites' },
    summary: {
      en: 'Requests per minute, sizes, and what happens beyond them.',
      fr: 'Requêtes par minute, tailles, et ce qui se passe au-delà.',
    },
    ...translated('limits'),
  },
  {
    id: 'sdk',
    group: 'libraries',
    title: { en: 'TypeScript SDK', fr: 'SDK TypeScript' },
    summary: {
      en: 'The client for TypeScript and JavaScript, without dependencies.',
      fr: 'Le client pour TypeScript et JavaScript, sans dépendance.',
    },
    source: { file: 'sdk/README.md', without: 'PHP' },
  },
  {
    id: 'php',
    group: 'libraries',
    title: { en: 'PHP client', fr: 'Client PHP' },
    summary: { en: 'The client for PHP, in one file.', fr: 'Le client pour PHP, en un seul fichier.' },
    source: { file: 'sdk/README.md', section: 'PHP' },
  },
  {
    id: 'cli',
    group: 'libraries',
    title: { en: 'Command line', fr: 'Ligne de commande' },
    summary: {
      en: 'Forward events to your machine, cause them, and certify your receiver.',
      fr: 'Recevoir les événements sur votre machine, les provoquer, et certifier votre récepteur.',
    },
    source: { file: 'cli/README.md' },
  },
  {
    id: 'emulator',
    group: 'libraries',
    title: { en: 'Emulator', fr: 'Émulateur' },
    summary: {
      en: 'The service on your machine or in CI, without an account and without network.',
      fr: 'Le service sur votre machine ou en intégration continue, sans compte ni réseau.',
    },
    source: { file: 'emulator/README.md' },
  },
  {
    id: 'changelog',
    group: 'changes',
    title: { en: 'Changelog', fr: 'Historique' },
    summary: {
      en: 'Versions of the API, and the rule by which it changes.',
      fr: 'Les versions de l’API, et la règle de ses changements.',
    },
    source: { file: 'CHANGELOG.md', section: 'Contract' },
  },
];

/** Files of the repository that pages link to; the site serves a copy of each. */
export const DOWNLOADS: Record<string, string> = { 'sdk/php/Navette.php': 'Navette.php' };

export const GROUPS: Record<Group, Texts> = {
  start: { en: 'Start', fr: 'Commencer' },
  guides: { en: 'Guides', fr: 'Guides' },
  libraries: { en: 'Libraries', fr: 'Bibliothèques' },
  reference: { en: 'API reference', fr: 'Référence de l’API' },
  changes: { en: 'Changes', fr: 'Changements' },
};

export const urlOf = (language: Language, id: string): string => `/docs/${language}/${id}`;

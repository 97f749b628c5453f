/** The texts of docs/errors.md and docs/fr/errors.md around the table of slugs. */
export interface ErrorsTexts {
  title: string;
  intro: string;
  withSlug: string;
  withSlugText: string;
  head: string[];
  validation: [cause: string, remedy: string];
  without: string;
  withoutHead: string[];
  withoutRows: string[][];
  inBatch: string;
  inBatchText: string;
}

const [FIELDS, MESSAGE, WINDOW] = [
  '`{success, errors: [{type, msg, path, location}]}`',
  '`{success, message}`',
  '`{success, message, window}`',
];

export const ENGLISH: ErrorsTexts = {
  title: 'Errors',
  intro: `Every failure is JSON with \`success: false\`. Branch on the HTTP status first, then on \`error\` where there is one.
\`message\` is French prose for a person and may change. A 5xx may come from a proxy in between, and then may not be JSON.`,
  withSlug: 'With a slug',
  withSlugText: '`{success, error, message}`, and the fields under “More fields”.',
  head: ['Status', '`error`', 'Cause', 'What to do', 'More fields'],
  validation: ['Any failure of a webhook write.', 'Read `details`, in logs only.'],
  without: 'Without a slug',
  withoutHead: ['Status', 'Shape', 'When', 'What to do'],
  withoutRows: [
    ['400', FIELDS, 'Fields are missing or invalid. The list has all of them.', 'Correct the fields in `path`.'],
    [
      '400',
      MESSAGE,
      'A rule refused the request (slot, credit limit, no weight), the JSON cannot be parsed, or, on POST /shipping and POST /rates, the server failed.',
      'Correct the request. If it is correct, retry with the same idempotency key and give support the reference in the message.',
    ],
    [
      '404',
      MESSAGE,
      'The id is unknown or belongs to another account; the response is the same.',
      'Check the id and the account.',
    ],
    ['413, 415', MESSAGE, 'The body is too large, or is not JSON.', 'Send smaller JSON.'],
    [
      '408, 431',
      MESSAGE,
      'The request took too long to arrive (15 seconds below 64 KiB, at most five minutes), or its request line and headers exceed 16 KiB.',
      'Retry; send shorter headers.',
    ],
    [
      '429',
      WINDOW,
      'The limit of a window (`minute`, `hour`, `day`) is reached.',
      'Wait for `X-RateLimit-Reset` on `minute`; queue for later on the others.',
    ],
  ],
  inBatch: 'In a batch',
  inBatchText:
    'Entries of `errors` are `{index, error, code}`: here `error` is the prose and `code` the slug, or null.',
};

export const FRENCH: ErrorsTexts = {
  title: 'Erreurs',
  intro: `Chaque échec est du JSON avec \`success: false\`. Décidez d’abord selon le statut HTTP, puis selon \`error\` s’il y en a un.
\`message\` est un texte en français pour une personne et peut changer. Un 5xx peut venir d’un proxy intermédiaire, et ne pas être du JSON.`,
  withSlug: 'Avec un slug',
  withSlugText: '`{success, error, message}`, et les champs indiqués sous « Autres champs ».',
  head: ['Statut', '`error`', 'Cause', 'Que faire', 'Autres champs'],
  validation: ['Tout échec d’une écriture de webhook.', 'Lisez `details`, dans vos journaux seulement.'],
  without: 'Sans slug',
  withoutHead: ['Statut', 'Forme', 'Quand', 'Que faire'],
  withoutRows: [
    ['400', FIELDS, 'Des champs manquent ou sont invalides. La liste les a tous.', 'Corrigez les champs de `path`.'],
    [
      '400',
      MESSAGE,
      'Une règle a refusé la requête (créneau, plafond de crédit, poids absent), le JSON est illisible, ou, sur POST /shipping et POST /rates, le serveur a échoué.',
      'Corrigez la requête. Si elle est correcte, réessayez avec la même clé d’idempotence et donnez à l’assistance la référence du message.',
    ],
    [
      '404',
      MESSAGE,
      'L’identifiant est inconnu ou appartient à un autre compte ; la réponse est la même.',
      'Vérifiez l’identifiant et le compte.',
    ],
    ['413, 415', MESSAGE, 'Le corps est trop grand, ou n’est pas du JSON.', 'Envoyez du JSON plus court.'],
    [
      '408, 431',
      MESSAGE,
      'La requête a mis trop de temps à arriver (15 secondes en dessous de 64 Kio, cinq minutes au plus), ou sa première ligne et ses en-têtes dépassent 16 Kio.',
      'Réessayez ; envoyez des en-têtes plus courts.',
    ],
    [
      '429',
      WINDOW,
      'La limite d’une fenêtre (`minute`, `hour`, `day`) est atteinte.',
      'Attendez `X-RateLimit-Reset` pour `minute` ; remettez à plus tard pour les autres.',
    ],
  ],
  inBatch: 'Dans un lot',
  inBatchText:
    'Les entrées de `errors` sont `{index, error, code}` : ici `error` est le texte et `code` le slug, ou null.',
};

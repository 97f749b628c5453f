import type { Page } from 'playwright-core';
import type { DashboardPage } from './pages.ts';
import type { World } from './world.ts';

const HEADER = 'N° commande;Nom;Adresse;CP;Ville;Tél;E-mail;Poids;Contenu;Date;Créneau;Couleur préférée';
const GOOD = [
  'CMD-3001;Camille Durand;8 avenue de l’Opéra;75001;Paris;+33612345678;camille@example.org;1,2;Bouquet rond;;;bleu',
  'CMD-3002;Jean-Baptiste de La Rochefoucauld-Montbel;1 rue Monsieur-le-Prince, escalier C;75006;Paris;+33612345679;jb@example.org;4,5;Céramique, fragile;2031-03-08;18h-20h;',
  'CMD-3003;Aïcha Diallo;18 rue des Pyrénées;92130;Issy-les-Moulineaux;+33612345670;aicha@example.org;0,8;Livres;;;vert',
];
const BAD = [
  'CMD-3004;;45 rue de Belleville;75019;Paris;+33612345678;ines@example.org;1;Livres;;;',
  'CMD-3005;Thomas Nguyen;6 quai de Valmy;75010;Paris;+33612345678;thomas(at)example.org;1;Livres;;;',
  'CMD-3006;Yanis Ben Youssef;3 place de la République;93100;Montreuil;+33612345678;yanis@example.org;lourd;Livres;2031-03-08;entre midi et deux;',
];

const check =
  (filename: string, lines: string[]) =>
  async ({ owner }: World): Promise<string> => {
    const { body } = await owner.call('previewImport', { body: { filename, text: [HEADER, ...lines].join('\n') } });
    return `/shipments/import/${body.import.id}`;
  };

async function finished(world: World): Promise<string> {
  const path = await check('commandes-novembre.csv', [...GOOD, BAD[0] ?? ''])(world);
  const params = { id: path.split('/').at(-1) ?? '' };
  await world.owner.call('startImport', { params });
  let state = '';
  while (state !== 'done') state = (await world.owner.call('readImport', { params })).body.import.state;
  return path;
}

/** Holds the import half-way; a real import of three lines finishes too quickly. */
async function holdHalfWay(page: Page) {
  await page.route('**/api/imports/*', async (route) => {
    const response = await route.fetch();
    const json = await response.json();
    Object.assign(json.import, { state: 'running', lines: 193, good: 193, bad: 0, created: 87 });
    await route.fulfill({ response, json });
  });
  await page.reload();
  await page.getByRole('progressbar').waitFor();
}

async function openPaste(page: Page) {
  await page.getByRole('button', { name: /Coller des lignes|Paste rows/ }).click();
  await page.getByRole('textbox').waitFor();
}

/** Pages of an import. */
export const IMPORT_PAGES: DashboardPage[] = [
  { name: 'import-checked', path: check('commandes-novembre.csv', [...GOOD, ...BAD]) },
  {
    name: 'import-running',
    path: check('un-nom-de-fichier-vraiment-long-export-boutique-final-v3.csv', GOOD),
    act: holdHalfWay,
  },
  { name: 'import-done', path: finished },
  { name: 'import', path: () => '/shipments/import', act: openPaste },
];

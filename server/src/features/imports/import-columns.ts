import { IMPORT_FIELDS, type ImportColumn, type ImportField } from '@navette/contract';
import { normalizeText } from '../../text/normalize-text.ts';

/** Common titles of each column, as `normalizeHeader` returns them; the first two are the French and English ones of our own files. */
const NAMES: Record<ImportField, readonly string[]> = {
  'externalReference.orderId':
    'commande order orderid ordernumber orderno numerocommande numerodecommande ncommande idcommande refcommande referencecommande'.split(
      ' ',
    ),
  'deliveryAddress.recipientName':
    'destinataire recipient nom name nomdestinataire nomdudestinataire recipientname client customer fullname nomcomplet'.split(
      ' ',
    ),
  'deliveryAddress.street':
    'adresse address rue street adresse1 address1 addressline1 adressedelivraison adresselivraison voie'.split(' '),
  'deliveryAddress.postalCode': 'codepostal postalcode cp zip zipcode postcode'.split(' '),
  'deliveryAddress.city': 'ville town city commune localite'.split(' '),
  'deliveryAddress.country': 'pays country'.split(' '),
  'deliveryAddress.phoneNumber':
    'telephone phone tel portable mobile phonenumber phoneno numerodetelephone ntelephone'.split(' '),
  'deliveryAddress.email': 'email mail courriel adressemail adresseemail emailaddress emaildestinataire'.split(' '),
  'parcelDetails.weight': 'poidskg weightkg poids weight poidsenkg kg'.split(' '),
  'parcelDetails.nature': 'contenu contents content nature natureducolis description marchandise article goods'.split(
    ' ',
  ),
  scheduledDate: 'date scheduleddate datedelivraison datelivraison deliverydate dateprevue'.split(' '),
  timeSlot: 'creneau slot timeslot creneauhoraire horaire heure'.split(' '),
  groupReference: 'groupe group groupreference referencegroupe lot batch'.split(' '),
  notes: 'notes note commentaire commentaires comment comments instructions remarques remarks'.split(' '),
  kind: 'type kind typedenvoi typeenvoi sens'.split(' '),
  'collectionContact.name': 'contact contactname nomcontact nomducontact'.split(' '),
  'collectionContact.phoneNumber': 'telephonecontact contactphone telephoneducontact contactphonenumber'.split(' '),
  'collectionContact.email': 'emailcontact contactemail emailducontact'.split(' '),
  'pickupAddress.street':
    'adressedenlevement pickupaddress adresseenlevement adressederetrait pickupstreet rueenlevement'.split(' '),
  'pickupAddress.postalCode':
    'codepostaldenlevement pickuppostalcode codepostalenlevement cpenlevement pickupzip'.split(' '),
  'pickupAddress.city': 'villedenlevement pickuptown villeenlevement pickupcity'.split(' '),
  'pickupAddress.country': 'paysdenlevement pickupcountry paysenlevement'.split(' '),
};

const normalizeHeader = (header: string): string => normalizeText(header).replaceAll(' ', '');

const FIELD_BY_NAME = new Map(
  IMPORT_FIELDS.flatMap((field) => [normalizeHeader(field), ...NAMES[field]].map((name) => [name, field] as const)),
);

/** The field of each column. If two columns match the same field, the first one is used. */
export function matchColumns(header: readonly string[]): ImportColumn[] {
  const taken = new Set<ImportField>();
  return header.map((title) => {
    const field = FIELD_BY_NAME.get(normalizeHeader(title)) ?? null;
    if (field === null || taken.has(field)) return { header: title, field: null };
    taken.add(field);
    return { header: title, field };
  });
}

const REQUIRED: readonly ImportField[] = [
  'deliveryAddress.recipientName',
  'deliveryAddress.street',
  'deliveryAddress.postalCode',
  'deliveryAddress.city',
  'deliveryAddress.phoneNumber',
  'deliveryAddress.email',
  'parcelDetails.weight',
  'parcelDetails.nature',
];

/** Required fields that no column has. */
export const missingFields = (columns: readonly ImportColumn[]): ImportField[] =>
  REQUIRED.filter((required) => !columns.some(({ field }) => field === required));

/**
 * The full document of a shipment as JSON text, built by PostgreSQL. Reads return it without parsing it, which makes
 * them fast. The list below is therefore the whitelist of every read, in the order of the contract; `delivery_code` is
 * not in it. Tests compare it with the contract and with the response to a creation.
 *
 * Concatenating text takes PostgreSQL half the time of json_build_object. Every encoder below must return valid JSON
 * for any value, null included: a null would make the whole document null, and its read fail.
 * Expects the table shipments as `s`.
 */
type Piece = { literal: string } | { expression: string };
type Fields = Record<string, Piece[]>;

const literal = (text: string): Piece => ({ literal: text });
const expression = (sql: string): Piece[] => [{ expression: sql }];

/** For columns that cannot be null and need no escaping: ids, enums, references, generated URLs. */
const plain = (sql: string): Piece[] => [literal('"'), ...expression(`(${sql})::text`), literal('"')];
const number = (sql: string): Piece[] => expression(`${sql}::text`);
const boolean = number;
const text = (column: string): Piece[] => expression(`coalesce(to_json(${column})::text, 'null')`);
const instant = (column: string): Piece[] => expression(`coalesce('"' || iso_instant(${column}) || '"', 'null')`);
const json = (column: string): Piece[] => expression(`coalesce(${column}::text, 'null')`);

function object(fields: Fields): Piece[] {
  const members = Object.entries(fields).flatMap(([name, value], i) => [
    literal(`${i === 0 ? '' : ','}"${name}":`),
    ...value,
  ]);
  return [literal('{'), ...members, literal('}')];
}

/** Appends the members of a column that is null or a JSON object: `{"a":1` and `,"b":2}`. */
function withMembersOf(members: Piece[], column: string): Piece[] {
  const appended = `coalesce(',' || substr(nullif(${column}::text, '{}'), 2), '}')`;
  return [...members.slice(0, -1), ...expression(appended)];
}

/** One SQL expression of all pieces, concatenated as a balanced tree: in a chain, each `||` would copy everything before it. */
function render(pieces: Piece[]): string {
  const parts = pieces.reduce<Piece[]>((merged, piece) => {
    const last = merged.at(-1);
    if (last && 'literal' in last && 'literal' in piece)
      merged[merged.length - 1] = literal(last.literal + piece.literal);
    else merged.push(piece);
    return merged;
  }, []);
  const join = (list: string[]): string => {
    const middle = Math.ceil(list.length / 2);
    return list.length === 1 ? (list[0] ?? '') : `(${join(list.slice(0, middle))} || ${join(list.slice(middle))})`;
  };
  return join(parts.map((part) => ('literal' in part ? `'${part.literal}'` : part.expression)));
}

const driver = object({
  _id: plain('d.id'),
  firstname: text('d.first_name'),
  lastname: text('d.last_name'),
  phoneNo: text('d.phone_number'),
  profilepic: text('d.picture_url'),
  userRating: json('d.rating'),
});

export const DOCUMENT_JSON = render(
  object({
    _id: plain('s.id'),
    referenceNumber: plain('s.reference_number'),
    status: plain('s.status'),
    price: number('(s.price_cents / 100.0::float8)'),
    parcelDetails: object({ weight: number('s.weight'), nature: text('s.nature') }),
    notes: text('s.notes'),
    isCollection: boolean('s.is_collection'),
    groupReference: text('s.group_reference'),
    pickupAddress: json('s.pickup_address'),
    deliveryAddress: json('s.delivery_address'),
    scheduledDelivery: object({
      date: text('s.scheduled_date'),
      timeSlot: text('s.time_slot'),
      datetime: instant('s.slot_starts_at'),
    }),
    externalReference: withMembersOf(
      object({ platform: text('s.platform'), orderId: text('s.order_id'), shopDomain: text('s.shop_domain') }),
      's.external_reference_extra',
    ),
    estimatedDeliveryDate: instant('s.estimated_delivery_at'),
    pdfUrl: plain(`'/pdfs/bordereau_' || s.reference_number || '_' || s.label_suffix || '.pdf'`),
    createdAt: instant('s.created_at'),
    updatedAt: instant('s.updated_at'),
    metadata: json('s.metadata'),
    professional: plain('s.account_id'),
    // No driver, the driver, or only the id when the driver is unknown or the personal data was erased.
    deliverer: expression(
      `case when s.driver_id is null then 'null'
     when s.personal_data_erased_at is not null then ${render(plain('s.driver_id'))}
     else coalesce((select ${render(driver)} from drivers d where d.id = s.driver_id), ${render(plain('s.driver_id'))}) end`,
    ),
    collectionContact: json('s.collection_contact'),
    pickupTime: instant('s.picked_up_at'),
    deliveryTime: instant('s.delivered_at'),
    cancelledAt: instant('s.cancelled_at'),
    statusHistory: json('s.status_history'),
  }),
);

import { MAX_LOGO_BYTES, type ShopPage } from '@navette/contract';
import type { Database, Tx } from '../../database/database.ts';
import { fieldErrors } from '../../refusals/refusal.ts';
import { type ImageFile, readImage } from '../proofs/index.ts';

export interface ShopPageChange {
  contactEmail?: string | null;
  contactPhone?: string | null;
  /** Base64. */
  logo?: string | null;
}

export async function readShopPage(db: Database, accountId: string): Promise<ShopPage> {
  const row = await db
    .selectFrom('shop_pages')
    .select(['contact_email', 'contact_phone', 'logo', 'logo_type'])
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  return {
    contactEmail: row?.contact_email ?? null,
    contactPhone: row?.contact_phone ?? null,
    logo: row?.logo ? `data:${row.logo_type};base64,${row.logo.toString('base64')}` : null,
  };
}

/** Absent fields stay. */
export async function saveShopPage(tx: Tx, accountId: string, change: ShopPageChange, now: Date): Promise<void> {
  const { contactEmail, contactPhone, logo } = change;
  const image = logo ? judgeLogo(logo) : null;
  const columns = {
    ...(contactEmail === undefined ? {} : { contact_email: contactEmail }),
    ...(contactPhone === undefined ? {} : { contact_phone: contactPhone }),
    ...(logo === undefined ? {} : { logo: image?.bytes ?? null, logo_type: image?.contentType ?? null }),
    updated_at: now,
  };
  await tx
    .insertInto('shop_pages')
    .values({ account_id: accountId, ...columns })
    .onConflict((conflict) => conflict.column('account_id').doUpdateSet(columns))
    .execute();
}

/** Judged by its bytes, and stored without metadata. SVG is refused: it can contain scripts. */
function judgeLogo(base64: string): ImageFile {
  const bytes = Buffer.from(base64, 'base64');
  const image = bytes.length > MAX_LOGO_BYTES ? null : readImage(bytes);
  if (image) return image;
  const msg = `Doit être une image PNG, JPEG ou WebP de ${MAX_LOGO_BYTES / 1024} ko au plus.`;
  throw fieldErrors([{ type: 'field', msg, path: 'logo', location: 'body' }]);
}

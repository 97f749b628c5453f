import type { Tx } from '../../database/database.ts';

/** Also unlocks sign-in, and invalidates every link. */
export async function savePassword(tx: Tx, driverId: string, passwordHash: string): Promise<void> {
  await tx
    .updateTable('drivers')
    .set({ password_hash: passwordHash, wrong_passwords: 0, locked_until: null })
    .where('id', '=', driverId)
    .execute();
  await tx.deleteFrom('driver_password_links').where('driver_id', '=', driverId).execute();
}

import pg from 'pg';

/**
 * Whether a server writes to the disk before it confirms. Without, everything is quicker, and a crash of the machine loses
 * data, which no test simulates.
 */
export async function setDurability(serverUrl: string, durability: 'on' | 'off'): Promise<void> {
  const client = new pg.Client({ connectionString: Object.assign(new URL(serverUrl), { pathname: '/postgres' }).href });
  await client.connect();
  try {
    for (const setting of ['fsync', 'full_page_writes'])
      await client.query(`alter system set ${setting} = ${durability}`);
    await client.query('select pg_reload_conf()');
  } finally {
    await client.end();
  }
}

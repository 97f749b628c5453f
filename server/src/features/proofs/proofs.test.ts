import { createHash, randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { DASHBOARD_BASE_PATH, DRIVER_BASE_PATH } from '@navette/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestMember, type TestMember } from '../../../test/dashboard.ts';
import { factsOf, ship } from '../../../test/dispatched.ts';
import { createTestDriver, overHttp, type SendCommand, type TestDriver } from '../../../test/driver-app.ts';
import { startTestServer, type TestAccount, type TestServer } from '../../../test/test-server.ts';
import { openProofStore } from '../../adapters/files/open-file-store.ts';
import { assignAnyShipment } from '../dispatch/index.ts';
import { eraseProofs } from './add-proof.ts';
import { deleteProofFiles } from './delete-proof-files.ts';

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=';

let server: TestServer;
let shop: TestAccount;
let member: TestMember;
let stranger: TestMember;
let ana: TestDriver;
let bob: TestDriver;
let http: SendCommand;
beforeAll(async () => {
  server = await startTestServer();
  shop = await server.createAccount({ paymentMode: 'deferred' });
  member = await createTestMember(server, shop.id);
  stranger = await createTestMember(server, (await server.createAccount()).id);
  [ana, bob] = [await createTestDriver(server.db), await createTestDriver(server.db)];
  http = overHttp(server.url, ana);
});
afterAll(() => server.stop());

async function assigned(driver = ana): Promise<string> {
  const { _id, referenceNumber } = await ship(server, shop);
  const context = { db: server.db, jobs: server.jobs, config: server.config, now: new Date() };
  await assignAnyShipment(context, referenceNumber, driver.id);
  return _id;
}
const photo = () => ({ kind: 'photo', content: PIXEL, commandId: randomUUID() });
const files = async () =>
  (await readdir(server.config.proofStore, { recursive: true }).catch(() => [])).filter((f) => f.endsWith('.png'));
const asMember = ({ cookie }: TestMember, id: string) =>
  fetch(`${server.url}${DASHBOARD_BASE_PATH}/proofs/${id}`, { headers: { cookie } });
const asDriver = ({ token }: TestDriver, id: string) =>
  fetch(`${server.url}${DRIVER_BASE_PATH}/proofs/${id}`, { headers: { authorization: `Bearer ${token}` } });

describe('a photo or a signature', () => {
  test('is stored once however often it is sent, and shown to the members of the merchant', async () => {
    const id = await assigned();
    const { code } = await factsOf(server, id);
    await http('deliver', { id, deliveryCode: code });
    const before = (await files()).length;
    const doneAt = new Date(Date.now() - 60_000).toISOString();
    const signature = { ...photo(), kind: 'signature', signerName: ' Léa Petit ', signerRelation: 'neighbour', doneAt };
    const added = await http('addProof', { id, ...signature });
    expect(added).toMatchObject({ status: 201, body: { proof: { kind: 'signature', takenAt: doneAt } } });
    expect(await http('addProof', { id, ...signature })).toEqual(added);
    const { body } = await member.call('readShipment', { params: { id } });
    const proof = { id: added.body.proof.id, signerName: 'Léa Petit', signerRelation: 'neighbour', takenAt: doneAt };
    expect(body.proofs).toEqual([expect.objectContaining(proof)]);
    await deleteProofFiles(server.db, openProofStore(server.config), new Date(Date.now() + 2 * 3_600_000));
    expect((await files()).length - before).toBe(1); // the file of the repetition was deleted
    const file = await asMember(member, added.body.proof.id);
    expect(file.headers.get('content-type')).toBe('image/png');
    expect(file.headers.get('cache-control')).toBe('no-store');
    const bytes = Buffer.from(await file.arrayBuffer());
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(added.body.proof.sha256);
  });

  test('is readable by its driver and by members of its account, and by nobody else', async () => {
    const id = await assigned();
    const { body } = await http('addProof', { id, ...photo() });
    expect((await asDriver(ana, body.proof.id)).status).toBe(200);
    expect((await asDriver(bob, body.proof.id)).status).toBe(404);
    expect((await asMember(stranger, body.proof.id)).status).toBe(404);
    expect((await fetch(`${server.url}${DASHBOARD_BASE_PATH}/proofs/${body.proof.id}`)).status).toBe(401);
    server.setNow(new Date(Date.now() + 49 * 3_600_000));
    expect((await asDriver(ana, body.proof.id)).status).toBe(404);
    server.setNow(null);
  });

  test('has a file name that nobody can guess', async () => {
    for (const name of await files()) expect(name).toMatch(/(^|\/)[0-9a-f]{64}[.]png$/);
    expect((await files()).length).toBeGreaterThan(0);
  });

  test('is refused when it is no image, or larger than 1 MB, and twenty are enough', async () => {
    const id = await assigned();
    const page = Buffer.from('<html><script>alert(1)</script>').toString('base64');
    const refused = { status: 400, body: { error: 'NOT_AN_IMAGE' } };
    expect(await http('addProof', { id, ...photo(), content: page })).toMatchObject(refused);
    const large = Buffer.concat([Buffer.from(PIXEL, 'base64'), Buffer.alloc(1_000_000)]).toString('base64');
    expect((await http('addProof', { id, ...photo(), content: large })).status).toBe(400);
    for (let i = 0; i < 20; i++) expect((await http('addProof', { id, ...photo() })).status).toBe(201);
    expect(await http('addProof', { id, ...photo() })).toMatchObject({
      status: 409,
      body: { error: 'TOO_MANY_PROOFS' },
    });
  });

  test('ends with the shipment’s personal data: row and file', async () => {
    const id = await assigned();
    const { body } = await http('addProof', { id, ...photo() });
    const { file_name } = await server.db
      .selectFrom('proofs')
      .select('file_name')
      .where('id', '=', body.proof.id)
      .executeTakeFirstOrThrow();
    const path = (await files()).find((name) => name.endsWith(file_name)) as string;
    await readFile(`${server.config.proofStore}/${path}`);
    await server.db.transaction().execute((tx) => eraseProofs(tx, shop.id, [id], new Date()));
    await deleteProofFiles(server.db, openProofStore(server.config), new Date());
    expect(await files()).not.toContain(path);
    expect((await asMember(member, body.proof.id)).status).toBe(404);
  });
});

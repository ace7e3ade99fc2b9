import { createHmac } from 'node:crypto';

import { ClientSecretHash } from '../../src/auth/client-secret-hash.js';
import { SecretsBox } from '../../src/auth/secrets-box.js';
import { sql } from '../../src/sql/sql.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';

const box = new SecretsBox(Buffer.alloc(32, 1));
const both = new SecretsBox(Buffer.alloc(32, 2), Buffer.alloc(32, 1));
const derived = (): Buffer =>
  createHmac('sha256', box.derivedHashKey(box.seal('x', 'x')))
    .update('a secret')
    .digest();

let test: TestDatabase;
beforeEach(async () => {
  test = await createTestDatabase();
});
afterEach(() => test.drop());

const hash = (of = box): Promise<Buffer> => new ClientSecretHash(test.database, of).of('a secret');

describe('the hash of client secrets', () => {
  it('has a key of its own that all processes share, also those that begin at once', async () => {
    const hashes = await Promise.all(Array.from({ length: 5 }, () => hash()));
    expect(new Set(hashes.map((one) => one.toString('hex'))).size).toBe(1);
    expect(hashes[0]).toHaveLength(32);
    expect(hashes[0]).not.toEqual(derived());
    expect(await new ClientSecretHash(test.database, box).of('a secreT')).not.toEqual(hashes[0]);
  });

  it('goes on with what it was where secrets are there already, whichever key sealed them', async () => {
    await test.database.query(sql`insert into signing_key (kid, public_key, private_key_sealed)
                                  values ('k', '', ${box.seal('x', 'signing key k')})`);
    expect(await hash(both)).toEqual(derived());
    expect(await hash(both)).toEqual(derived());
  });

  it('is read again after a failure', async () => {
    const one = new ClientSecretHash(test.database, box);
    jest.spyOn(test.database, 'query').mockRejectedValueOnce(new Error('the database is away'));
    await expect(one.of('a secret')).rejects.toThrow('away');
    expect(await one.of('a secret')).toHaveLength(32);
  });
});

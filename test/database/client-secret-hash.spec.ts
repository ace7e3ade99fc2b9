import { ClientSecretHash } from '../../src/auth/secrets/client-secret-hash.js';
import { SecretsBox } from '../../src/auth/secrets/secrets-box.js';
import { sql } from '../../src/kernel/sql/sql.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';

const box = new SecretsBox(Buffer.alloc(32, 1));

let test: TestDatabase;
beforeEach(async () => {
  test = await createTestDatabase();
});
afterEach(() => test.drop());

const hasher = (): ClientSecretHash => new ClientSecretHash(test.database, box, test.database.primary);
const hash = (): Promise<Buffer> => hasher().of('a secret');

describe('the hash of client secrets', () => {
  it('has a key of its own that all processes share, also those that begin at once', async () => {
    const hashes = await Promise.all(Array.from({ length: 5 }, () => hash()));
    expect(new Set(hashes.map((one) => one.toString('hex'))).size).toBe(1);
    expect(hashes[0]).toHaveLength(32);
    expect(await hasher().of('a secreT')).not.toEqual(hashes[0]);
  });

  it('has the key of the server that took over', async () => {
    const one = hasher();
    test.database.primary.meet('one');
    const before = await one.of('a secret');
    // As on a server that took over without the latest commits.
    await test.database.query(sql`truncate kept_key`);
    test.database.primary.meet('another');
    const after = await one.of('a secret');
    expect(after).not.toEqual(before);
    expect(after).toEqual(await hash());
  });

  it('is read again after a failure', async () => {
    const one = hasher();
    jest.spyOn(test.database, 'query').mockRejectedValueOnce(new Error('the database is away'));
    await expect(one.of('a secret')).rejects.toThrow('away');
    expect(await one.of('a secret')).toHaveLength(32);
  });
});

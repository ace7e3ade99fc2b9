import { CLI } from '../../src/platform/audit/audit-entry.js';
import { Reseal } from '../../src/auth/reseal.js';
import { SecretsBox } from '../../src/auth/secrets/secrets-box.js';
import { purposeOfShaSecret } from '../../src/auth/clients/system-clients.js';
import type { Queryable } from '../../src/platform/database/connection/queryable.js';
import { sql } from '../../src/kernel/sql/sql.js';
import { untilLocksAreAwaited } from '../support/database-activity.js';
import { openings } from '../support/deliveries.js';

const OLD = Buffer.alloc(32, 8);
const LOST = Buffer.alloc(32, 9);

describe('a change of SECRETS_KEY', () => {
  const opens = openings(() => ({}));

  it('leaves out what neither key opens, names it, and does all the rest', async () => {
    const service = await opens.aService({ SECRETS_KEY_PREVIOUS: OLD.toString('base64') });
    const clients = await Promise.all(Array.from({ length: 5 }, () => service.registerClient()));
    const [bad, ...others] = clients.map(({ clientId }) => clientId).sort();
    const seal = (box: SecretsBox, clientId = ''): Promise<unknown> =>
      opens.database().query(sql`
        update system_client set sha_secret_sealed = ${box.seal('a secret', purposeOfShaSecret(clientId))}
         where client_id = ${clientId}`);
    await seal(new SecretsBox(LOST), bad);
    for (const other of others) await seal(new SecretsBox(OLD), other);
    const reseal = service.app.get(Reseal, { strict: false });
    const told = `4 secrets were sealed anew; 1 could not be read, and stay as they are:\n.*sha_secret of client ${bad ?? ''} `;
    await expect(reseal.run(CLI)).rejects.toThrow(new RegExp(told));
    await expect(reseal.run(CLI)).rejects.toThrow(/^0 secrets were sealed anew; 1 could not be read/);

    const later = await opens.aService();
    const read = others.map(async (clientId) => (await later.clients.shaSecretOf(clientId))?.secret.reveal());
    expect(await Promise.all(read)).toEqual(others.map(() => 'a secret'));
  });

  it('comes to its end where others change the same rows in another order', async () => {
    const service = await opens.aService({ SECRETS_KEY_PREVIOUS: OLD.toString('base64') });
    const clients = [await service.registerClient(), await service.registerClient()].map(({ clientId }) => clientId);
    const [database, old] = [opens.database(), new SecretsBox(OLD)];
    const hold = (transaction: Queryable, clientId = ''): Promise<unknown> =>
      transaction.query(sql`select from system_client where client_id = ${clientId} for update`);
    // Whichever of the two it changes first, it meets a deadlock once.
    for (const [first, second] of [clients, clients.toReversed()]) {
      for (const clientId of clients) {
        const sealed = old.seal('a secret', purposeOfShaSecret(clientId));
        await database.query(sql`update system_client set sha_secret_sealed = ${sealed} where client_id = ${clientId}`);
      }
      let resealed: Promise<number> | undefined;
      await database.transaction(async (transaction) => {
        // The server ends the other.
        await transaction.query(sql`set local deadlock_timeout = '1min'`);
        await hold(transaction, first);
        resealed = service.app.get(Reseal, { strict: false }).run(CLI);
        resealed.catch(() => undefined);
        await untilLocksAreAwaited(database);
        await hold(transaction, second);
      });
      expect(await resealed).toBe(2);
    }
  });
});

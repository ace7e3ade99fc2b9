import { CLI } from '../../src/audit/audit-entry.js';
import { Reseal } from '../../src/auth/reseal.js';
import { SecretsBox } from '../../src/auth/secrets-box.js';
import { purposeOfShaSecret } from '../../src/auth/system-clients/sha-secret.js';
import { sql } from '../../src/sql/sql.js';
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
});

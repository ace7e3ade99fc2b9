import { randomBytes } from 'node:crypto';
import { CLI } from '../../src/platform/audit/audit-entry.js';
import { AuditLog } from '../../src/platform/audit/audit-log.js';
import { AuditWriter } from '../../src/platform/audit/audit-writer.js';
import { ClientAssertions, ClientLookUps } from '../../src/auth/clients/client-assertions.js';
import { ClientSecretHash } from '../../src/auth/secrets/client-secret-hash.js';
import { type CredentialPair, FailedCredentialLimit } from '../../src/auth/secrets/failed-credential-limit.js';
import { SecretsBox } from '../../src/auth/secrets/secrets-box.js';
import { ClientAuthentication } from '../../src/auth/clients/client-authentication.js';
import { RefreshTokens, SessionFamilies } from '../../src/auth/sessions/session-families.js';
import { RevokedTokens } from '../../src/auth/sessions/revoked-tokens.js';
import { TokenRevocation } from '../../src/auth/sessions/token-revocation.js';
import { ClientStatus } from '../../src/auth/clients/client-status.js';
import { type Credentials, SystemClients } from '../../src/auth/clients/system-clients.js';
import { AccessTokens } from '../../src/auth/tokens/access-tokens.js';
import { IssuedTokens } from '../../src/auth/tokens/issued-tokens.js';
import { SigningKeys } from '../../src/auth/tokens/signing-keys.js';
import { Roles } from '../../src/auth/users/roles.js';
import type { Config } from '../../src/platform/config/config.js';
import { Capacities } from '../../src/platform/queue/capacities.js';
import { readConfig } from '../../src/platform/config/read-config.js';
import { ChangeFeed } from '../../src/platform/database/connection/change-feed.js';
import { AuditDatabase } from '../../src/platform/database/pools/pools.js';
import { Database } from '../../src/platform/database/pools/database.js';
import { SystemClient } from '../../src/platform/database/schema/entities.js';
import { comesTrueWithin } from './idle-clock.js';
import { createTestDatabase, type TestDatabase } from './postgres.js';

/** Auth as one process of the service has it, wired by hand. */
export interface AuthProcess {
  readonly config: Config;
  readonly box: SecretsBox;
  readonly secretHash: ClientSecretHash;
  readonly database: Database;
  readonly feed: ChangeFeed;
  readonly keys: SigningKeys;
  readonly tokens: AccessTokens;
  readonly status: ClientStatus;
  readonly clients: SystemClients;
  readonly authentication: ClientAuthentication;
  readonly refreshTokens: RefreshTokens;
  readonly families: SessionFamilies;
  readonly revoked: RevokedTokens;
  readonly revocation: TokenRevocation;
  /** What the modules do when they start, and then the feed. */
  start(): Promise<void>;
  stop(): Promise<void>;
}

const SECRETS_KEY = randomBytes(32).toString('base64');

class Unlimited extends FailedCredentialLimit {
  override checked<T>(_pair: CredentialPair, check: () => Promise<T | undefined>): Promise<T | undefined> {
    return check();
  }
}

export function authProcess(
  { dataSource }: TestDatabase,
  environment: Readonly<Record<string, string>> = {},
  limit: FailedCredentialLimit = new Unlimited(),
): AuthProcess {
  const config = readConfig({ SECRETS_KEY, ...environment });
  const box = new SecretsBox(Buffer.from(config.SECRETS_KEY?.reveal() ?? '', 'base64'));
  const database = new Database(dataSource);
  const feed = new ChangeFeed(database.primary, () => undefined);
  const writer = new AuditWriter(new AuditDatabase(database.primary));
  const audit = new AuditLog(writer);
  const keys = new SigningKeys(database, database, box, config, feed, audit);
  const secretHash = new ClientSecretHash(database, box, database.primary);
  const status = new ClientStatus(database, feed);
  const clients = new SystemClients(dataSource.getRepository(SystemClient), database, box, secretHash, audit, feed);
  const tokens = new AccessTokens(keys, config, database, audit);
  const issued = new IssuedTokens(keys, config);
  const refreshTokens = new RefreshTokens(keys, issued, config);
  const capacities = new Capacities(config);
  const lookUps = new ClientLookUps(database, capacities);
  const revoked = new RevokedTokens(database, feed, database.primary);
  const families = new SessionFamilies(database, tokens, refreshTokens, config, new Roles(config), feed, audit);
  return {
    config,
    box,
    secretHash,
    database,
    feed,
    keys,
    status,
    clients,
    tokens,
    revoked,
    refreshTokens,
    families,
    revocation: new TokenRevocation(issued, refreshTokens, families, revoked, database, audit, feed),
    authentication: new ClientAuthentication(
      lookUps,
      secretHash,
      limit,
      status,
      new ClientAssertions(lookUps, status, database, capacities, config),
    ),
    start: async () => {
      await secretHash.onModuleInit();
      await keys.onModuleInit();
      await status.onModuleInit();
      await revoked.onModuleInit();
      await feed.start();
    },
    stop: async () => {
      await feed.stop();
      await writer.onModuleDestroy();
    },
  };
}

/** Two processes on one database. */
export interface TwoAuthProcesses {
  readonly database: TestDatabase;
  readonly one: AuthProcess;
  readonly other: AuthProcess;
  /** Registers a client, by the first of them. */
  register(): Promise<Credentials>;
  close(): Promise<void>;
}

export async function twoAuthProcesses(): Promise<TwoAuthProcesses> {
  const database = await createTestDatabase();
  const [one, other] = [authProcess(database), authProcess(database)];
  await one.start();
  await other.start();
  return {
    ...{ database, one, other },
    register: () => one.clients.register({ registeredAs: 'HEALTH', name: 'A hospital', by: CLI }),
    close: async () => {
      await Promise.all([one.stop(), other.stop()]);
      await database.drop();
    },
  };
}

/**
 * Waits until `holds`, and fails when it does not within the time that changes have to reach every process (G-3), on a
 * machine that is idle.
 */
export async function within2Seconds({ database }: TestDatabase, holds: () => boolean): Promise<void> {
  if (!(await comesTrueWithin(2_000, database, holds))) throw new Error('it did not happen within 2 s');
}

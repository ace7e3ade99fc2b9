import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { Caller } from '../../kernel/domain/scopes/caller.js';
import { inOtherHands, notHeld } from '../access/covers.js';
import { actorOf } from '../../platform/audit/audit-entry.js';
import { AuditLog } from '../../platform/audit/audit-log.js';
import { type Config, CONFIG } from '../../platform/config/config.js';
import { Secret } from '../../platform/config/secret.js';
import { ChangeFeed } from '../../platform/database/connection/change-feed.js';
import { Database } from '../../platform/database/pools/database.js';
import { retryingDeadlocks } from '../../platform/database/connection/retrying-deadlocks.js';
import type { Uuid } from '../../kernel/domain/uuid.js';
import { ServiceError } from '../../kernel/errors/service-error.js';
import { sql } from '../../kernel/sql/sql.js';
import { type ClientKey, soundKeys } from './client-keys.js';
import { RegisteredKeys } from './registered-keys.js';
import { ClientSecretHash } from '../secrets/client-secret-hash.js';
import { SealedTextError } from '../secrets/secrets-box.js';
import { ANNOUNCE_CLIENTS } from './client-status.js';
import { type ClientView, type Credentials, type RegistrationOrder, SystemClients } from './system-clients.js';

/** An integration to be created: a name, scopes, its keys, and credentials if they are not to be made here (B.5). */
export type IntegrationOrder = Pick<RegistrationOrder, 'credentials' | 'jwks'> & {
  readonly name: string;
  readonly scopes: readonly string[];
};

/**
 * System clients as release 2.0 administers them (I-1): the same rows as A-7's. Nobody gets hold of a scope that he
 * does not hold himself: not by creating a client, nor by a client's secrets, nor by activating it again.
 */
@Injectable()
export class Integrations {
  constructor(
    private readonly clients: SystemClients,
    private readonly database: Database,
    private readonly secretHash: ClientSecretHash,
    private readonly audit: AuditLog,
    private readonly feed: ChangeFeed,
    private readonly keys: RegisteredKeys,
    @Inject(CONFIG) private readonly config: Pick<Config, 'SECRET_OVERLAP_SECONDS'>,
  ) {}

  /**
   * Throws as `SystemClients.register` does, and 403 for scopes that the caller does not hold. With an id that was made
   * elsewhere, records may already say that it has declared them.
   */
  create({ name, scopes, credentials, jwks }: IntegrationOrder, caller: Caller): Promise<Credentials> {
    return this.clients.register({ name, scopes, credentials, jwks, by: actorOf(caller) }, (sound) => {
      requireHeld(caller, sound, credentials === undefined ? 'nobody yet' : 'another');
    });
  }

  /** Throws 404 for an unknown or deleted client. */
  async find(id: Uuid): Promise<ClientView> {
    const client = await this.clients.find(id);
    if (client === undefined) throw noSuchIntegration(id);
    return client;
  }

  /** The secret that signs its webhooks, for a caller who holds its scopes; null for others, or if it cannot be read. */
  async shaSecretOf(client: ClientView, caller: Caller): Promise<Secret | null> {
    if (notHeld(caller, client.scopes, inOtherHands).length > 0) return null;
    try {
      return (await this.clients.shaSecretOf(client.clientId as Uuid))?.secret ?? null;
    } catch (error) {
      if (error instanceof SealedTextError) return null;
      throw error;
    }
  }

  /** Throws 404, and 403 when it is to be active again with scopes that the caller does not hold. */
  async setStatus(id: Uuid, status: ClientView['status'], caller: Caller): Promise<ClientView> {
    const client = await this.find(id);
    if (status === 'active') requireHeld(caller, client.scopes);
    if (!(await this.clients.setStatus(id, status, actorOf(caller)))) throw noSuchIntegration(id);
    return { ...client, status };
  }

  /**
   * Replaces the client secret; the one before is good for `SECRET_OVERLAP_SECONDS`. Throws 404, and 403 for scopes
   * that the caller does not hold.
   */
  async refreshSecret(id: Uuid, caller: Caller): Promise<Secret> {
    requireHeld(caller, (await this.find(id)).scopes);
    const clientSecret = randomUUID();
    const secretHash = await this.secretHash.of(clientSecret);
    await this.change(async (transaction) => {
      const changed = await transaction.query(sql`
        update system_client
           set replaced_secret_hash = secret_hash,
               replaced_secret_until = now() + ${this.config.SECRET_OVERLAP_SECONDS} * interval '1 second',
               secret_hash = ${secretHash}
         where client_id = ${id} and status <> 'deleted' returning client_id`);
      if (changed.length === 0) throw noSuchIntegration(id);
      await this.audit.record(transaction, {
        ...actorOf(caller),
        operation: 'integrations.refreshSecret',
        requestData: { id },
        responseSummary: { clientId: id },
      });
    });
    return new Secret(clientSecret);
  }

  /**
   * Replaces the keys with which it signs its assertions. Throws 400 for keys that cannot be registered, whether there
   * is such a client or not; then 404, and 403 for scopes that the caller does not hold.
   */
  async setKeys(id: Uuid, jwks: unknown, caller: Caller): Promise<readonly ClientKey[]> {
    const keys = await soundKeys(jwks, '');
    requireHeld(caller, (await this.find(id)).scopes);
    if (!(await this.keys.set(id, keys, actorOf(caller)))) throw noSuchIntegration(id);
    return keys;
  }

  /**
   * Deletes a client: its tokens, secrets and webhooks end at once. Its row stays, without any of its secrets, so that
   * its id is never another's. Throws 404.
   */
  async remove(id: Uuid, caller: Caller): Promise<ClientView> {
    const client = await this.find(id);
    await this.change(async (transaction) => {
      // A trigger ends its subscriptions.
      const removed = await transaction.query(sql`
        update system_client
           set status = 'deleted', secret_hash = ''::bytea, replaced_secret_hash = null, replaced_secret_until = null,
               sha_secret_sealed = ${this.clients.sealedNothing(id)}, jwks = null
         where client_id = ${id} and status <> 'deleted' returning client_id`);
      if (removed.length === 0) throw noSuchIntegration(id);
      await transaction.query(sql`delete from replaced_sha_secret where client_id = ${id}`);
      await this.audit.record(transaction, {
        ...actorOf(caller),
        operation: 'integrations.delete',
        requestData: { id },
        responseSummary: { id, name: client.name },
      });
    });
    await this.feed.heed('subscription_ended');
    return client;
  }

  /**
   * A change that holds at once in this process, and within two seconds in others (G-3). What comes of deliveries is
   * recorded meanwhile, of many subscriptions at once and in another order.
   */
  private async change(work: Parameters<Database['transaction']>[0]): Promise<void> {
    await retryingDeadlocks(() =>
      this.database.transaction(async (transaction) => {
        await work(transaction);
        await transaction.query(ANNOUNCE_CLIENTS);
      }),
    );
    await this.feed.heed('client_changed');
  }
}

/** The answer for a client that does not exist, or no longer does. */
const noSuchIntegration = (id: string): ServiceError =>
  new ServiceError('NOT_FOUND', `System client not found with ID: ${id}`);

/** `by`: who has them. */
function requireHeld(caller: Caller, scopes: readonly string[], by: 'another' | 'nobody yet' = 'another'): void {
  const lacking = notHeld(caller, scopes, by === 'another' ? inOtherHands : undefined);
  if (lacking.length === 0) return;
  const shown = lacking.map((scope) => JSON.stringify(scope)).join(', ');
  throw new ServiceError('FORBIDDEN', `Nobody grants a scope that he does not hold: ${shown}`);
}

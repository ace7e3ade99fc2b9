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
import { retryingDeadlocks } from '../../platform/database/connection/queryable.js';
import type { Uuid } from '../../kernel/domain/uuid.js';
import { ServiceError } from '../../kernel/errors/service-error.js';
import { sql } from '../../kernel/sql/sql.js';
import { type ClientKey, soundKeys } from './client-keys.js';
import { RegisteredKeys } from './registered-keys.js';
import { ClientSecretHash } from '../secrets/client-secret-hash.js';
import { SealedTextError } from '../secrets/secrets-box.js';
import { ANNOUNCE_CLIENTS } from './client-status.js';
import { type ClientView, type Credentials, type RegistrationOrder, SystemClients } from './system-clients.js';

/** Credentials are generated if absent (B.5). */
export type IntegrationOrder = Pick<RegistrationOrder, 'credentials' | 'jwks'> & {
  readonly name: string;
  readonly scopes: readonly string[];
};

/**
 * Administration of clients as in release 2.0 (I-1). No caller gains a scope they do not hold by creating or
 * reactivating a client, or by its secrets.
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
   * Throws as `SystemClients.register`, and 403 for scopes not held. Records may already name a given id as declarer.
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

  /** Null if unreadable, or if the caller does not hold the client's scopes. */
  async shaSecretOf(client: ClientView, caller: Caller): Promise<Secret | null> {
    if (notHeld(caller, client.scopes, inOtherHands).length > 0) return null;
    try {
      return (await this.clients.shaSecretOf(client.clientId as Uuid))?.secret ?? null;
    } catch (error) {
      if (error instanceof SealedTextError) return null;
      throw error;
    }
  }

  /** Throws 404, and 403 for a reactivation with scopes not held. */
  async setStatus(id: Uuid, status: ClientView['status'], caller: Caller): Promise<ClientView> {
    const client = await this.find(id);
    if (status === 'active') requireHeld(caller, client.scopes);
    if (!(await this.clients.setStatus(id, status, actorOf(caller)))) throw noSuchIntegration(id);
    return { ...client, status };
  }

  /** The previous one is good for `SECRET_OVERLAP_SECONDS`. Throws 404, and 403 for scopes not held. */
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

  /** Throws 400 for invalid keys, even for an unknown client; then 404, and 403 for scopes not held. */
  async setKeys(id: Uuid, jwks: unknown, caller: Caller): Promise<readonly ClientKey[]> {
    const keys = await soundKeys(jwks, '');
    requireHeld(caller, (await this.find(id)).scopes);
    if (!(await this.keys.set(id, keys, actorOf(caller)))) throw noSuchIntegration(id);
    return keys;
  }

  /** Tokens, secrets and webhooks end at once. The row stays, so that the id is never reused. Throws 404. */
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
   * Holds here at once, elsewhere within two seconds (G-3). Delivery outcomes lock subscriptions in another order,
   * hence the retry.
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

const noSuchIntegration = (id: string): ServiceError =>
  new ServiceError('NOT_FOUND', `System client not found with ID: ${id}`);

/** `by`: the current holder of the scopes. */
function requireHeld(caller: Caller, scopes: readonly string[], by: 'another' | 'nobody yet' = 'another'): void {
  const lacking = notHeld(caller, scopes, by === 'another' ? inOtherHands : undefined);
  if (lacking.length === 0) return;
  const shown = lacking.map((scope) => JSON.stringify(scope)).join(', ');
  throw new ServiceError('FORBIDDEN', `Nobody grants a scope that he does not hold: ${shown}`);
}

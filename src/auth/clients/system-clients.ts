import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, Repository } from 'typeorm';
import { newUuid, type Uuid } from '../../kernel/domain/uuid.js';
import { Faults } from '../../kernel/errors/faults.js';
import { ServiceError } from '../../kernel/errors/service-error.js';
import { sql } from '../../kernel/sql/sql.js';
import type { Actor } from '../../platform/audit/audit-entry.js';
import { AuditLog } from '../../platform/audit/audit-log.js';
import { Secret } from '../../platform/config/secret.js';
import { ChangeFeed } from '../../platform/database/connection/change-feed.js';
import { retryingDeadlocks } from '../../platform/database/connection/queryable.js';
import type { Transaction } from '../../platform/database/pools/connections.js';
import { Database } from '../../platform/database/pools/database.js';
import { SystemClient } from '../../platform/database/schema/entities.js';
import { type Registration, REGISTRATION_SCOPES } from '../access/scope-permissions.js';
import { ClientSecretHash } from '../secrets/client-secret-hash.js';
import { SecretsBox } from '../secrets/secrets-box.js';
import { type ClientKey, readKeys } from './client-keys.js';
import { ANNOUNCE_CLIENTS } from './client-status.js';
import { checkName, checkScopes, scopesNow } from './sound-registration.js';

export const purposeOfShaSecret = (clientId: string): string => `sha_secret of client ${clientId}`;

/** Column value: null if there are none. */
const storedKeys = (keys: readonly ClientKey[]): string | null => (keys.length === 0 ? null : JSON.stringify({ keys }));

/** A kind of A-9, or custom scopes (the command line's `--scopes`). */
export type RegistrationOrder = {
  readonly name?: string | undefined;
  readonly by: Actor;
  /** An unvalidated JWK Set (U-10). */
  readonly jwks?: unknown;
  /** Runs in the registration's transaction. */
  readonly also?: (transaction: Transaction, clientId: Uuid) => Promise<unknown>;
  readonly credentials?: { readonly clientId: Uuid; readonly clientSecret: Secret } | undefined;
} & ({ readonly registeredAs: Registration } | { readonly scopes: readonly string[] });

/** Only now is the client secret known. */
export interface Credentials {
  readonly clientId: Uuid;
  readonly clientSecret: Secret;
  readonly shaSecret: Secret;
  /** As stored: names of earlier releases are translated. */
  readonly scopes: readonly string[];
  readonly keys: readonly ClientKey[];
}

export type ClientView = Pick<
  SystemClient,
  'clientId' | 'name' | 'registeredAs' | 'scopes' | 'status' | 'createdAt' | 'createdBy' | 'jwks'
>;

const VIEW = {
  clientId: true,
  name: true,
  registeredAs: true,
  scopes: true,
  status: true,
  createdAt: true,
  createdBy: true,
  jwks: true,
} as const satisfies Readonly<Record<keyof ClientView, true>>;

/** Deleted clients keep their rows (I-1). */
const THERE = { status: In<SystemClient['status']>(['active', 'deactivated']) };

/** Register of system clients. */
@Injectable()
export class SystemClients {
  constructor(
    @InjectRepository(SystemClient) private readonly stored: Repository<SystemClient>,
    private readonly database: Database,
    private readonly box: SecretsBox,
    private readonly secretHash: ClientSecretHash,
    private readonly audit: AuditLog,
    private readonly feed: ChangeFeed,
  ) {}

  /** 400 for unknown or administrators' scopes and unsound keys; 409 for a used id. `permit` throws for others. */
  async register(
    order: RegistrationOrder,
    permit: (scopes: readonly string[]) => void = () => undefined,
  ): Promise<Credentials> {
    const registeredAs = 'registeredAs' in order ? order.registeredAs : null;
    const name = order.name === undefined ? (registeredAs ?? 'integration') : order.name;
    const asked = 'registeredAs' in order ? REGISTRATION_SCOPES[order.registeredAs] : order.scopes;
    const faults = new Faults();
    checkName(name, 'name', faults);
    checkScopes(asked, 'scopes', faults);
    const keys = order.jwks === undefined ? [] : await readKeys(order.jwks, 'jwks', faults);
    faults.throwIfAny();
    const scopes = scopesNow(asked);
    permit(scopes);

    const { clientId, clientSecret } = order.credentials ?? {
      clientId: newUuid(),
      clientSecret: new Secret(newUuid()),
    };
    const shaSecret = newUuid();
    const secretHash = await this.secretHash.of(clientSecret.reveal());
    const shaSecretSealed = this.box.seal(shaSecret, purposeOfShaSecret(clientId));
    await this.change(async (transaction) => {
      const added = await transaction.query(
        sql`insert into system_client (client_id, name, registered_as, scopes, secret_hash, sha_secret_sealed, created_by,
                                       jwks)
            select ${clientId}::uuid, ${name}, ${registeredAs}, ${[...scopes]}::text[], ${secretHash}::bytea,
                   ${shaSecretSealed}, ${order.by.clientId}, ${storedKeys(keys)}::jsonb
             where not exists (select from user_account where user_id = ${clientId}::uuid)
                on conflict (client_id) do nothing returning client_id`,
      );
      if (added.length === 0)
        throw new ServiceError('CONFLICT', `An integration with client id ${clientId} already exists`);
      await this.audit.record(transaction, {
        ...order.by,
        operation: 'integrations.create',
        requestData: { name, scopes, ...(keys.length > 0 && { kids: keys.map(({ kid }) => kid) }) },
        responseSummary: { clientId },
      });
      await order.also?.(transaction, clientId);
    });
    return { clientId, clientSecret, shaSecret: new Secret(shaSecret), scopes, keys };
  }

  /** False without such a client. */
  setStatus(clientId: Uuid, status: ClientView['status'], by: Actor): Promise<boolean> {
    return this.change(async (transaction) => {
      const [client] = await transaction.query<Pick<SystemClient, 'status'>>(
        sql`select status from system_client where client_id = ${clientId} and status <> 'deleted' for update`,
      );
      if (client !== undefined && client.status !== status) {
        await transaction.query(sql`update system_client set status = ${status} where client_id = ${clientId}`);
        await this.audit.record(transaction, {
          ...by,
          operation: status === 'active' ? 'integrations.activate' : 'integrations.deactivate',
          requestData: { id: clientId },
          responseSummary: { id: clientId, status: status === 'active' ? status : 'disabled' },
        });
      }
      return client !== undefined;
    });
  }

  /** Replaces the keys of assertions (U-10) by those of `soundKeys`, or none. False without such a client. */
  setKeys(clientId: Uuid, keys: readonly ClientKey[], by: Actor): Promise<boolean> {
    return this.change(async (transaction) => {
      const changed = await transaction.query(
        sql`update system_client set jwks = ${storedKeys(keys)}::jsonb
             where client_id = ${clientId} and status <> 'deleted' returning client_id`,
      );
      if (changed.length === 0) return false;
      await this.audit.record(transaction, {
        ...by,
        operation: 'integrations.setKeys',
        requestData: { id: clientId, kids: keys.map(({ kid }) => kid) },
        responseSummary: { id: clientId },
      });
      return true;
    });
  }

  /** Holds here at once, elsewhere within two seconds (G-3). */
  async change<T>(work: (transaction: Transaction) => Promise<T>): Promise<T> {
    // A trigger updates the client's subscriptions, several of which delivery outcomes lock in another order.
    const done = await retryingDeadlocks(() =>
      this.database.transaction(async (transaction) => {
        const result = await work(transaction);
        await transaction.query(ANNOUNCE_CLIENTS);
        return result;
      }),
    );
    await this.feed.heed('client_changed');
    return done;
  }

  /** Oldest first. */
  list(): Promise<ClientView[]> {
    return this.stored.find({ select: VIEW, where: THERE, order: { createdAt: 'ASC', clientId: 'ASC' } });
  }

  async find(clientId: Uuid): Promise<ClientView | undefined> {
    return (await this.stored.findOne({ select: VIEW, where: { clientId, ...THERE } })) ?? undefined;
  }

  /** W-15; existing deliveries keep the previous one. Undefined without such a client. */
  async rotateShaSecret(clientId: Uuid, by: Actor): Promise<Secret | undefined> {
    const shaSecret = newUuid();
    const sealed = this.box.seal(shaSecret, purposeOfShaSecret(clientId));
    const found = await this.database.transaction(async (transaction) => {
      const [replaced] = await transaction.query<{ readonly generation: number }>(sql`
        insert into replaced_sha_secret (client_id, generation, sealed)
        select client_id, sha_secret_generation, sha_secret_sealed from system_client
         where client_id = ${clientId} and status <> 'deleted' for update
        returning generation`);
      if (replaced === undefined) return false;
      const generation = replaced.generation + 1;
      await transaction.query(sql`
        update system_client set sha_secret_sealed = ${sealed}, sha_secret_generation = ${generation}
         where client_id = ${clientId}`);
      await this.audit.record(transaction, {
        ...by,
        operation: 'integrations.rotateShaSecret',
        requestData: { id: clientId },
        responseSummary: { id: clientId, generation },
      });
      return true;
    });
    return found ? new Secret(shaSecret) : undefined;
  }

  /** Undefined without such a client. Throws `SealedTextError` if unreadable. */
  async shaSecretOf(clientId: Uuid): Promise<{ readonly secret: Secret; readonly generation: number } | undefined> {
    const select = { shaSecretSealed: true, shaSecretGeneration: true } as const;
    const row = await this.stored.findOne({ select, where: { clientId, ...THERE } });
    if (row === null) return undefined;
    return { secret: this.openShaSecret(clientId, row.shaSecretSealed), generation: row.shaSecretGeneration };
  }

  /** Throws `SealedTextError` if it is not this client's. */
  openShaSecret(clientId: Uuid, shaSecretSealed: string): Secret {
    return new Secret(this.box.open(shaSecretSealed, purposeOfShaSecret(clientId)));
  }

  /** Placeholder in a deleted client's row, so that `reseal` can read it. */
  sealedNothing(clientId: Uuid): string {
    return this.box.seal('', purposeOfShaSecret(clientId));
  }
}

import { randomUUID } from 'node:crypto';

import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';

import type { Registration } from '../../access/scope-permissions.js';
import { grantsOf, REGISTRATION_SCOPES } from '../../access/scope-permissions.js';
import type { Actor } from '../../audit/audit-entry.js';
import { AuditLog } from '../../audit/audit-log.js';
import { Secret } from '../../config/secret.js';
import { ChangeFeed } from '../../database/connection/change-feed.js';
import { Database } from '../../database/pools/database.js';
import { SystemClient } from '../../database/schema/system-client.entity.js';
import type { Uuid } from '../../domain/uuid.js';
import { isWellFormedText, WELL_FORMED_TEXT } from '../../domain/well-formed-text.js';
import { Faults } from '../../errors/faults.js';
import { memberPath } from '../../errors/issue-path.js';
import { sql } from '../../sql/sql.js';
import { ClientSecretHash } from '../client-secret-hash.js';
import { SecretsBox } from '../secrets-box.js';
import { ClientStatus } from './client-status.js';
import { purposeOfShaSecret } from './sha-secret.js';

/** How to register a client: as a kind of A-9, or with custom scopes (the command line's `--scopes`). */
export type RegistrationOrder = { readonly name?: string | undefined; readonly by: Actor } & (
  { readonly registeredAs: Registration } | { readonly scopes: readonly string[] }
);

/** A new client's credentials. This is the only time when the client secret is known. */
export interface Credentials {
  readonly clientId: Uuid;
  readonly clientSecret: Secret;
  readonly shaSecret: Secret;
}

/** A client, without its secrets. */
export type ClientView = Pick<
  SystemClient,
  'clientId' | 'name' | 'registeredAs' | 'scopes' | 'status' | 'createdAt' | 'createdBy'
>;

const VIEW = {
  clientId: true,
  name: true,
  registeredAs: true,
  scopes: true,
  status: true,
  createdAt: true,
  createdBy: true,
} as const satisfies Readonly<Record<keyof ClientView, true>>;

/** The register of system clients. */
@Injectable()
export class SystemClients {
  constructor(
    @InjectRepository(SystemClient) private readonly stored: Repository<SystemClient>,
    private readonly database: Database,
    private readonly box: SecretsBox,
    private readonly secretHash: ClientSecretHash,
    private readonly status: ClientStatus,
    private readonly audit: AuditLog,
    private readonly feed: ChangeFeed,
  ) {}

  /**
   * Registers a client. Throws 400 with one issue for each scope that grants nothing, or that belongs to
   * administrators.
   */
  async register(order: RegistrationOrder): Promise<Credentials> {
    const registeredAs = 'registeredAs' in order ? order.registeredAs : null;
    const scopes = 'registeredAs' in order ? REGISTRATION_SCOPES[order.registeredAs] : order.scopes;
    const name = order.name ?? registeredAs ?? 'integration';
    refuseUnsound(name, scopes);

    const clientId = newUuid();
    const clientSecret = newUuid();
    const shaSecret = newUuid();
    const secretHash = await this.secretHash.of(clientSecret);
    const shaSecretSealed = this.box.seal(shaSecret, purposeOfShaSecret(clientId));
    await this.database.transaction(async (transaction) => {
      await transaction.query(
        sql`insert into system_client (client_id, name, registered_as, scopes, secret_hash, sha_secret_sealed, created_by)
            values (${clientId}, ${name}, ${registeredAs}, ${[...scopes]}, ${secretHash}, ${shaSecretSealed},
                    ${order.by.clientId})`,
      );
      await this.audit.record(transaction, {
        ...order.by,
        operation: 'integrations.create',
        requestData: { name, scopes },
        responseSummary: { clientId },
      });
      await transaction.query(ANNOUNCE);
    });
    await this.status.refresh();
    return { clientId, clientSecret: new Secret(clientSecret), shaSecret: new Secret(shaSecret) };
  }

  /**
   * Activates or deactivates a client, which takes effect at once in this process; false if there is no such client.
   */
  async setStatus(clientId: Uuid, status: SystemClient['status'], by: Actor): Promise<boolean> {
    const found = await this.database.transaction(async (transaction) => {
      const [client] = await transaction.query<Pick<SystemClient, 'status'>>(
        sql`select status from system_client where client_id = ${clientId} for update`,
      );
      if (client !== undefined && client.status !== status) {
        await transaction.query(sql`update system_client set status = ${status} where client_id = ${clientId}`);
        await this.audit.record(transaction, {
          ...by,
          operation: status === 'active' ? 'integrations.activate' : 'integrations.deactivate',
          requestData: { id: clientId },
          responseSummary: { id: clientId, status },
        });
      }
      await transaction.query(ANNOUNCE);
      return client !== undefined;
    });
    await this.status.refresh();
    await this.feed.heed('client_changed');
    return found;
  }

  /** Every client, oldest first. */
  list(): Promise<ClientView[]> {
    return this.stored.find({ select: VIEW, order: { createdAt: 'ASC', clientId: 'ASC' } });
  }

  async find(clientId: Uuid): Promise<ClientView | undefined> {
    return (await this.stored.findOne({ select: VIEW, where: { clientId } })) ?? undefined;
  }

  /**
   * Replaces the secret that signs a client's webhooks (W-15); undefined if there is no such client. Deliveries created
   * under the previous one keep it.
   */
  async rotateShaSecret(clientId: Uuid, by: Actor): Promise<Secret | undefined> {
    const shaSecret = newUuid();
    const sealed = this.box.seal(shaSecret, purposeOfShaSecret(clientId));
    const found = await this.database.transaction(async (transaction) => {
      const [replaced] = await transaction.query<{ readonly generation: number }>(sql`
        insert into replaced_sha_secret (client_id, generation, sealed)
        select client_id, sha_secret_generation, sha_secret_sealed from system_client
         where client_id = ${clientId} for update
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

  /** The secret that signs a client's webhooks, and how often it was replaced; undefined if there is no such client. */
  async shaSecretOf(clientId: Uuid): Promise<{ readonly secret: Secret; readonly generation: number } | undefined> {
    const select = { shaSecretSealed: true, shaSecretGeneration: true } as const;
    const row = await this.stored.findOne({ select, where: { clientId } });
    if (row === null) return undefined;
    return { secret: this.openShaSecret(clientId, row.shaSecretSealed), generation: row.shaSecretGeneration };
  }

  /** The same secret from a row that was read already. Throws `SealedTextError` if it is not this client's. */
  openShaSecret(clientId: Uuid, shaSecretSealed: string): Secret {
    return new Secret(this.box.open(shaSecretSealed, purposeOfShaSecret(clientId)));
  }
}

const ANNOUNCE = sql`select pg_notify('client_changed', '')`;

/** 122 bits from the system's secure source. */
const newUuid = (): Uuid => randomUUID() as Uuid;

function refuseUnsound(name: string, scopes: readonly string[]): void {
  const faults = new Faults();
  if (name.trim() === '') faults.add('name', 'must not be empty');
  if (!isWellFormedText(name)) faults.add('name', WELL_FORMED_TEXT);
  if (scopes.length === 0) faults.add('scopes', 'must name at least one scope');
  scopes.forEach((scope, at) => {
    const grants = grantsOf([scope], () => undefined);
    const path = memberPath('scopes', at);
    if (grants.length === 0) faults.add(path, `${JSON.stringify(scope)} is no scope that this service understands`);
    if (grants.some(({ permission }) => permission === 'sysadmin')) {
      faults.add(path, `${JSON.stringify(scope)} is an administrator's, and no client's`);
    }
  });
  faults.throwIfAny();
}

import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { MIB } from '../../kernel/domain/bytes.js';
import type { Caller } from '../../kernel/domain/scopes/caller.js';
import type { Uuid } from '../../kernel/domain/uuid.js';
import { ServiceError } from '../../kernel/errors/service-error.js';
import { all, rowsWithin, sql } from '../../kernel/sql/sql.js';
import { actorOf } from '../../platform/audit/audit-entry.js';
import { AuditLog } from '../../platform/audit/audit-log.js';
import { type AuditPage, readAuditPage } from '../../platform/audit/audit-pages.js';
import { type Config, CONFIG } from '../../platform/config/config.js';
import { Secret } from '../../platform/config/secret.js';
import { ChangeFeed } from '../../platform/database/connection/change-feed.js';
import { Database } from '../../platform/database/pools/database.js';
import { byCreation, CREATION, type Cursor, cursorReader, type Page, writeCursor } from '../../platform/dto/page.js';
import { inOtherHands, notHeld } from '../access/covers.js';
import { ClientSecretHash } from '../secrets/client-secret-hash.js';
import { SealedTextError } from '../secrets/secrets-box.js';
import { type ClientKey, soundKeys } from './client-keys.js';
import {
  type AuditPageDto,
  type CreateIntegrationDto,
  type ListIntegrationsDto,
  MOST_INTEGRATIONS,
} from './integration.dto.js';
import { type ClientView, SystemClients } from './system-clients.js';

type AskedIntegrations = Pick<ListIntegrationsDto, 'status' | 'limit' | 'cursor'>;
type AskedAudit = Pick<AuditPageDto, 'skip' | 'count' | 'timeStart' | 'timeEnd'>;

/** Credentials are generated if absent (B.5). */
export type IntegrationOrder = Pick<CreateIntegrationDto, 'name' | 'jwks'> & {
  readonly credentials?: { readonly clientId: Uuid; readonly clientSecret: string } | undefined;
  readonly scopes: readonly string[];
};

interface NewIntegration {
  readonly clientId: Uuid;
  readonly shaSecret: string;
  readonly clientSecret: string;
  readonly scopes?: readonly string[];
  readonly jwks?: { readonly keys: readonly ClientKey[] };
}

/** Limit on names and scopes in a page, which has at least one client. */
const MOST_PAGE_BYTES = 2 * MIB;

type ListedClient = Pick<ClientView, 'name' | 'scopes' | 'status' | 'createdAt' | 'createdBy'>;
type Row = ListedClient & Cursor & { readonly id: string; readonly isMore: boolean };

const ORDER = byCreation(sql`created_at`, sql`client_id`);

/**
 * Administration of clients as in release 2.0 (I-1), with upstream's answers, for REST and tRPC. No caller gains a scope
 * they do not hold by creating or reactivating a client, or by its secrets. An unknown or deleted client is a 404.
 */
@Injectable()
export class Integrations {
  constructor(
    private readonly clients: SystemClients,
    private readonly secretHash: ClientSecretHash,
    private readonly log: AuditLog,
    private readonly feed: ChangeFeed,
    private readonly database: Database,
    @Inject(CONFIG) private readonly config: Pick<Config, 'SECRET_OVERLAP_SECONDS'>,
  ) {}

  /**
   * Throws as `SystemClients.register`, and 403 for scopes not held. Records may already name a given id as declarer.
   */
  async create({ name, scopes, credentials, jwks }: IntegrationOrder, caller: Caller): Promise<NewIntegration> {
    const given = credentials && { clientId: credentials.clientId, clientSecret: new Secret(credentials.clientSecret) };
    const order = { name, scopes, credentials: given, jwks, by: actorOf(caller) };
    const created = await this.clients.register(order, (sound) => {
      requireHeld(caller, sound, given === undefined ? 'nobody yet' : 'another');
    });
    return {
      clientId: created.clientId,
      shaSecret: created.shaSecret.reveal(),
      clientSecret: created.clientSecret.reveal(),
      // Only when changed, to keep upstream's keys otherwise (A-10).
      ...(created.scopes.join(' ') !== scopes.join(' ') && { scopes: created.scopes }),
      ...(created.keys.length > 0 && { jwks: { keys: created.keys } }),
    };
  }

  /** Oldest first, without secrets. */
  async list({ status, limit = MOST_INTEGRATIONS, cursor }: AskedIntegrations): Promise<Page<object>> {
    const stored = status === 'disabled' ? 'deactivated' : status;
    const conditions = [
      stored === undefined ? sql`status <> 'deleted'` : sql`status = ${stored}`,
      ...(cursor === undefined ? [] : [ORDER.isBeyond(sql`>`, cursor.position)]),
    ];
    const candidates = sql`
      select *, octet_length(concat(name, scopes)) as bytes from system_client where ${all(conditions)}
       order by created_at, client_id limit ${limit + 1}`;
    const rows = await this.database.query<Row>(sql`
      with candidate as (${candidates}),
      page as (${rowsWithin(sql`table candidate`, sql`created_at, client_id`, MOST_PAGE_BYTES)})
      select name, scopes, status, created_at as "createdAt", created_by as "createdBy", client_id as id,
             ${ORDER.position} as position,
             rank < (select count(*) from candidate) as "isMore"
        from page where rank <= ${limit} order by rank`);
    const last = rows.at(-1);
    return { rows: rows.map(listed), next: last?.isMore === true ? writeCursor(last) : undefined };
  }

  /** One page with `limit`, otherwise all. */
  async listAll({ cursor: first, ...asked }: AskedIntegrations): Promise<readonly object[]> {
    const found: object[] = [];
    for (let cursor = first; ;) {
      const { rows, next } = await this.list({ ...asked, cursor });
      found.push(...rows);
      if (asked.limit !== undefined || next === undefined) return found;
      cursor = cursorReader(CREATION)(next);
    }
  }

  /** Its audit log (I-3); reading leaves no entry. */
  async audit(clientId: Uuid, asked: AskedAudit): Promise<AuditPage> {
    await this.find(clientId);
    return readAuditPage(this.database, { clientId, ...asked });
  }

  /** Without its `shaSecret` if that is unreadable, or if the caller does not hold the client's scopes. */
  async get(id: Uuid, caller: Caller): Promise<object> {
    const client = await this.find(id);
    return {
      ...listed({ ...client, id }),
      shaSecret: notHeld(caller, client.scopes, inOtherHands).length > 0 ? null : await this.shaSecretOf(id),
      ...(client.jwks !== null && { jwks: client.jwks }),
    };
  }

  /** Throws 403 for a reactivation with scopes not held. */
  async setStatus(id: Uuid, status: ClientView['status'], caller: Caller): Promise<object> {
    const { name, scopes } = await this.find(id);
    if (status === 'active') requireHeld(caller, scopes);
    if (!(await this.clients.setStatus(id, status, actorOf(caller)))) throw noSuchIntegration(id);
    return { id, name, status: statusOf({ status }) };
  }

  /** The previous one is good for `SECRET_OVERLAP_SECONDS`. Throws 403 for scopes not held. */
  async refreshSecret(id: Uuid, caller: Caller): Promise<{ readonly clientId: Uuid; readonly clientSecret: string }> {
    requireHeld(caller, (await this.find(id)).scopes);
    const clientSecret = randomUUID();
    const secretHash = await this.secretHash.of(clientSecret);
    await this.clients.change(async (transaction) => {
      const changed = await transaction.query(sql`
        update system_client
           set replaced_secret_hash = secret_hash,
               replaced_secret_until = now() + ${this.config.SECRET_OVERLAP_SECONDS} * interval '1 second',
               secret_hash = ${secretHash}
         where client_id = ${id} and status <> 'deleted' returning client_id`);
      if (changed.length === 0) throw noSuchIntegration(id);
      await this.log.record(transaction, {
        ...actorOf(caller),
        operation: 'integrations.refreshSecret',
        requestData: { id },
        responseSummary: { clientId: id },
      });
    });
    return { clientId: id, clientSecret };
  }

  /** Throws 400 for invalid keys, even for an unknown client; then 404, and 403 for scopes not held. */
  async setKeys(id: Uuid, jwks: unknown, caller: Caller): Promise<object> {
    const keys = await soundKeys(jwks, '');
    requireHeld(caller, (await this.find(id)).scopes);
    if (!(await this.clients.setKeys(id, keys, actorOf(caller)))) throw noSuchIntegration(id);
    return { id, jwks: { keys } };
  }

  /** Tokens, secrets and webhooks end at once. The row stays, so that the id is never reused. */
  async remove(id: Uuid, caller: Caller): Promise<object> {
    const { name } = await this.find(id);
    await this.clients.change(async (transaction) => {
      // A trigger ends its subscriptions.
      const removed = await transaction.query(sql`
        update system_client
           set status = 'deleted', secret_hash = ''::bytea, replaced_secret_hash = null, replaced_secret_until = null,
               sha_secret_sealed = ${this.clients.sealedNothing(id)}, jwks = null
         where client_id = ${id} and status <> 'deleted' returning client_id`);
      if (removed.length === 0) throw noSuchIntegration(id);
      await transaction.query(sql`delete from replaced_sha_secret where client_id = ${id}`);
      await this.log.record(transaction, {
        ...actorOf(caller),
        operation: 'integrations.delete',
        requestData: { id },
        responseSummary: { id, name },
      });
    });
    await this.feed.heed('subscription_ended');
    return { id, name };
  }

  private async find(id: Uuid): Promise<ClientView> {
    const client = await this.clients.find(id);
    if (client === undefined) throw noSuchIntegration(id);
    return client;
  }

  private async shaSecretOf(id: Uuid): Promise<string | null> {
    try {
      return (await this.clients.shaSecretOf(id))?.secret.reveal() ?? null;
    } catch (error) {
      if (error instanceof SealedTextError) return null;
      throw error;
    }
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

/** Upstream calls `deactivated` `disabled`. */
const statusOf = ({ status }: Pick<ClientView, 'status'>): string => (status === 'active' ? status : 'disabled');

const listed = (client: ListedClient & Pick<Row, 'id'>): object => ({
  id: client.id,
  name: client.name,
  scopes: client.scopes,
  status: statusOf(client),
  createdAt: client.createdAt.toISOString(),
  createdBy: client.createdBy,
});

import { Injectable } from '@nestjs/common';
import type { Caller } from '../../kernel/domain/scopes/caller.js';
import { Secret } from '../../platform/config/secret.js';
import type { Uuid } from '../../kernel/domain/uuid.js';
import { invalidInput } from '../../kernel/errors/faults.js';
import type { ClientView } from './system-clients.js';
import { type CreateIntegrationDto, MOST_INTEGRATIONS } from './integration.dto.js';
import { IntegrationPages, readPosition } from './integration-page.js';
import { Integrations } from './integrations.js';

interface AskedList {
  readonly status?: 'active' | 'disabled' | undefined;
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

/** The operations of I-1, with upstream's answers, for REST and tRPC. */
@Injectable()
export class IntegrationAnswers {
  constructor(
    private readonly integrations: Integrations,
    private readonly pages: IntegrationPages,
  ) {}

  async create({ name, scopes, credentials, jwks }: CreateIntegrationDto, caller: Caller): Promise<object> {
    const given = credentials && {
      clientId: credentials.clientId,
      clientSecret: new Secret(credentials.clientSecret),
    };
    const created = await this.integrations.create({ name, scopes, credentials: given, jwks }, caller);
    return {
      clientId: created.clientId,
      shaSecret: created.shaSecret.reveal(),
      clientSecret: created.clientSecret.reveal(),
      // Only when changed, to keep upstream's keys otherwise.
      ...(created.scopes.join(' ') !== scopes.join(' ') && { scopes: created.scopes }),
      ...(created.keys.length > 0 && { jwks: { keys: created.keys } }),
    };
  }

  async list({
    status,
    limit = MOST_INTEGRATIONS,
    cursor,
  }: AskedList): Promise<{ readonly integrations: readonly object[]; readonly next: string | undefined }> {
    const after = cursor === undefined ? undefined : readPosition(cursor);
    if (cursor !== undefined && after === undefined) {
      throw invalidInput('cursor: is not one of this list');
    }
    const { clients, next } = await this.pages.read({
      status: status === 'disabled' ? 'deactivated' : status,
      limit,
      after,
    });
    return { integrations: clients.map(listed), next };
  }

  /** One page with `limit`, otherwise all. */
  async listAll({ cursor: first, ...asked }: AskedList): Promise<readonly object[]> {
    const found: object[] = [];
    for (let cursor = first; ;) {
      const { integrations, next } = await this.list({ ...asked, cursor });
      found.push(...integrations);
      if (asked.limit !== undefined || next === undefined) return found;
      cursor = next;
    }
  }

  async get(id: Uuid, caller: Caller): Promise<object> {
    const client = await this.integrations.find(id);
    const shaSecret = await this.integrations.shaSecretOf(client, caller);
    return {
      ...listed(client),
      shaSecret: shaSecret?.reveal() ?? null,
      ...(client.jwks !== null && { jwks: client.jwks }),
    };
  }

  async setStatus(id: Uuid, status: ClientView['status'], caller: Caller): Promise<object> {
    const client = await this.integrations.setStatus(id, status, caller);
    return { id, name: client.name, status: statusOf(client) };
  }

  async refreshSecret(id: Uuid, caller: Caller): Promise<object> {
    return { clientId: id, clientSecret: (await this.integrations.refreshSecret(id, caller)).reveal() };
  }

  async setKeys(id: Uuid, jwks: unknown, caller: Caller): Promise<object> {
    return { id, jwks: { keys: await this.integrations.setKeys(id, jwks, caller) } };
  }

  async remove(id: Uuid, caller: Caller): Promise<object> {
    const { name } = await this.integrations.remove(id, caller);
    return { id, name };
  }
}

/** Upstream calls `deactivated` `disabled`. */
const statusOf = ({ status }: Pick<ClientView, 'status'>): string => (status === 'active' ? status : 'disabled');

const listed = (client: Omit<ClientView, 'registeredAs' | 'jwks'>): object => ({
  id: client.clientId,
  name: client.name,
  scopes: client.scopes,
  status: statusOf(client),
  createdAt: client.createdAt.toISOString(),
  createdBy: client.createdBy,
});

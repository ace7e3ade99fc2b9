import { Body, Controller, HttpCode, Post, Res } from '@nestjs/common';
import { ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Allow } from '../access/allow.js';
import type { Caller } from '../../kernel/domain/scopes/caller.js';
import { CurrentCaller } from '../access/current-caller.js';
import { InTurn } from '../access/in-turn.js';
import { actorOf } from '../../platform/audit/audit-entry.js';
import type { Uuid } from '../../kernel/domain/uuid.js';
import { ServiceError } from '../../kernel/errors/service-error.js';
import { NO_STORE } from '../access/no-store.js';
import { ClientIdDto } from './client-id.dto.js';
import { isRegistration, RegisterSystemClientDto } from './register-system-client.dto.js';
import { type ClientView, SystemClients } from './system-clients.js';
import { CREDENTIALS_SCHEMA, SHA_SECRET_SCHEMA } from './system-clients.schema.js';

/** Administration of system clients, on the internal port. */
@ApiTags('System clients')
@Controller()
@InTurn('administration')
export class SystemClientsController {
  constructor(private readonly clients: SystemClients) {}

  @Post('registerSystemClient')
  @HttpCode(201)
  @Allow('natlsysadmin')
  @ApiOperation({
    operationId: 'systemClient-register',
    summary: 'Register a system client',
    description:
      'Yields the credentials of a new client. The secret is shown this once. A scope of an earlier release is shown as what it has become.',
  })
  @ApiResponse({ status: 201, description: 'The credentials, shown this once', schema: CREDENTIALS_SCHEMA })
  async register(
    @Body() { scope, name, jwks }: RegisterSystemClientDto,
    @CurrentCaller() caller: Caller,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<object> {
    reply.headers(NO_STORE);
    const what = isRegistration(scope) ? { registeredAs: scope } : { scopes: [scope] };
    const { clientId, clientSecret, shaSecret, scopes, keys } = await this.clients.register({
      ...what,
      name,
      jwks,
      by: actorOf(caller),
    });
    return {
      client_id: clientId,
      client_secret: clientSecret.reveal(),
      sha_secret: shaSecret.reveal(),
      ...('scopes' in what && { scope: scopes }),
      ...(keys.length > 0 && { jwks: { keys } }),
    };
  }

  @Post('deactivateSystemClient')
  @HttpCode(200)
  @Allow('sysadmin')
  @ApiOperation({
    operationId: 'systemClient-deactivate',
    summary: 'Deactivate a system client, and its tokens',
    description:
      'From then on the client gets no token, tokens that it has are refused, and its deliveries wait. Doing it twice changes nothing.',
  })
  @ApiResponse({ status: 200, description: 'Deactivated' })
  deactivate(@Body() body: ClientIdDto, @CurrentCaller() caller: Caller): Promise<void> {
    return this.setStatus(body, 'deactivated', caller);
  }

  @Post('reactivateSystemClient')
  @HttpCode(200)
  @Allow('sysadmin')
  @ApiOperation({
    operationId: 'systemClient-reactivate',
    summary: 'Reactivate a system client',
    description:
      'The client gets tokens again, and what has waited for it is delivered. Doing it twice changes nothing.',
  })
  @ApiResponse({ status: 200, description: 'Active again' })
  reactivate(@Body() body: ClientIdDto, @CurrentCaller() caller: Caller): Promise<void> {
    return this.setStatus(body, 'active', caller);
  }

  @Post('rotateShaSecret')
  @HttpCode(200)
  @Allow('natlsysadmin')
  @ApiOperation({
    operationId: 'systemClient-rotateShaSecret',
    summary: 'Replace the secret that signs a client’s webhooks',
    description:
      'Until `SHA_SECRET_OVERLAP_SECONDS` have passed, `webhook-signature` has a signature with each of both; `hmac` and `X-Hub-Signature` are made with the one under which the subscription was last made or renewed. What is published after that is signed with the new one.',
  })
  @ApiResponse({ status: 200, description: 'The new secret, shown this once', schema: SHA_SECRET_SCHEMA })
  async rotateShaSecret(
    @Body() { client_id: clientId }: ClientIdDto,
    @CurrentCaller() caller: Caller,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<object> {
    reply.headers(NO_STORE);
    const secret = await this.clients.rotateShaSecret(clientId, actorOf(caller));
    if (secret === undefined) throw noSuchClient(clientId);
    return { sha_secret: secret.reveal() };
  }

  private async setStatus(
    { client_id: clientId }: ClientIdDto,
    status: ClientView['status'],
    caller: Caller,
  ): Promise<void> {
    if (!(await this.clients.setStatus(clientId, status, actorOf(caller)))) throw noSuchClient(clientId);
  }
}

const noSuchClient = (clientId: Uuid): ServiceError =>
  new ServiceError('NOT_FOUND', `System client not found with client_id: ${clientId}`);

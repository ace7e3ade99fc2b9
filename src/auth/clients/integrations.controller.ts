import { Body, Controller, Delete, Get, HttpCode, Inject, Post, Put, Query, Req, Res } from '@nestjs/common';
import { ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from '../../kernel/domain/scopes/caller.js';
import type { Uuid } from '../../kernel/domain/uuid.js';
import type { AuditPage } from '../../platform/audit/audit-pages.js';
import { type Config, CONFIG } from '../../platform/config/config.js';
import { Allow, AllowOnly, ApiErrorAnswer, CurrentCaller, InTurn, PathId } from '../access/decorators.js';
import { nextLink } from '../access/request-target.js';
import {
  AUDIT_SCHEMA,
  AuditPageDto,
  CHANGED_SCHEMA,
  CREATED_SCHEMA,
  CreateIntegrationDto,
  DELETED_SCHEMA,
  INTEGRATION_SCHEMA,
  JwkSetDto,
  KEYS_SCHEMA,
  LIST_SCHEMA,
  ListIntegrationsDto,
  REFRESHED_SCHEMA,
} from './integration.dto.js';
import { Integrations } from './integrations.js';

const NEXT_LINK = {
  Link: {
    description: 'While there is more, where the next page is: `<…>; rel="next"`',
    schema: { type: 'string' },
  },
} as const;

/** System clients as in release 2.0 (I-1). */
@ApiTags('Integrations')
@Controller('integrations')
@InTurn('administration')
@Allow('integration.create')
export class IntegrationsController {
  constructor(
    private readonly integrations: Integrations,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  @Post()
  @HttpCode(200)
  @ApiOperation({
    operationId: 'integrations-create',
    summary: 'Create an integration',
    description: 'A system client with these scopes, each of which the caller holds. Its secret is shown this once.',
  })
  @ApiResponse({ status: 200, description: 'The credentials, shown this once', schema: CREATED_SCHEMA })
  @ApiErrorAnswer('CONFLICT', 'The client id in `credentials` is, or was, that of another client')
  create(@Body() body: CreateIntegrationDto, @CurrentCaller() caller: Caller): Promise<object> {
    return this.integrations.create(body, caller);
  }

  @Get()
  @ApiOperation({
    operationId: 'integrations-list',
    summary: 'List integrations',
    description:
      'The oldest first, without their secrets. A page ends early at 2 MiB; a `Link` header leads to the next one.',
  })
  @ApiResponse({ status: 200, description: 'The integrations', schema: LIST_SCHEMA, headers: NEXT_LINK })
  async list(
    @Query() query: ListIntegrationsDto,
    @Req() { originalUrl }: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<readonly object[]> {
    const { rows, next } = await this.integrations.list(query);
    if (next !== undefined) reply.header('link', nextLink(next, originalUrl, this.config.PUBLIC_URL));
    return rows;
  }

  @Get(':id')
  @ApiOperation({
    operationId: 'integrations-get',
    summary: 'Get an integration',
    description: 'With the secret that signs its webhooks, for a caller who holds its scopes.',
  })
  @ApiResponse({ status: 200, description: 'The integration', schema: INTEGRATION_SCHEMA })
  get(@PathId() id: Uuid, @CurrentCaller() caller: Caller): Promise<object> {
    return this.integrations.get(id, caller);
  }

  @Post(':id/deactivate')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'integrations-deactivate',
    summary: 'Deactivate an integration, and its tokens',
    description:
      'From then on it gets no token, tokens that it has are refused, and its deliveries wait. Doing it twice changes nothing.',
  })
  @ApiResponse({ status: 200, description: 'It is disabled', schema: CHANGED_SCHEMA })
  deactivate(@PathId() id: Uuid, @CurrentCaller() caller: Caller): Promise<object> {
    return this.integrations.setStatus(id, 'deactivated', caller);
  }

  @Post(':id/activate')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'integrations-activate',
    summary: 'Activate an integration again',
    description: 'It gets tokens again, and what has waited for it is delivered. Doing it twice changes nothing.',
  })
  @ApiResponse({ status: 200, description: 'It is active', schema: CHANGED_SCHEMA })
  activate(@PathId() id: Uuid, @CurrentCaller() caller: Caller): Promise<object> {
    return this.integrations.setStatus(id, 'active', caller);
  }

  @Post(':id/refresh-secret')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'integrations-refreshSecret',
    summary: 'Replace the secret of an integration',
    description:
      'The one before is good for `SECRET_OVERLAP_SECONDS`, and ends at once with another replacement. The secret of ' +
      'its webhooks stays.',
  })
  @ApiResponse({ status: 200, description: 'The new secret, shown this once', schema: REFRESHED_SCHEMA })
  refreshSecret(@PathId() id: Uuid, @CurrentCaller() caller: Caller): Promise<object> {
    return this.integrations.refreshSecret(id, caller);
  }

  @Put(':id/jwks')
  @ApiOperation({
    operationId: 'integrations-setKeys',
    summary: 'Replace the public keys of an integration',
    description:
      'With one of them it signs the assertions of `private_key_jwt` (RFC 7523). An empty list removes them all. To change a key without a gap, set the old and the new one, and later the new one alone.',
  })
  @ApiResponse({ status: 200, description: 'Its keys, each with the `kid` that assertions name', schema: KEYS_SCHEMA })
  setKeys(@PathId() id: Uuid, @Body() body: JwkSetDto, @CurrentCaller() caller: Caller): Promise<object> {
    return this.integrations.setKeys(id, body, caller);
  }

  @Delete(':id')
  @ApiOperation({
    operationId: 'integrations-delete',
    summary: 'Delete an integration',
    description: 'Its tokens and webhooks end at once; what waits for it is dropped. Its audit log stays.',
  })
  @ApiResponse({ status: 200, description: 'It is deleted', schema: DELETED_SCHEMA })
  remove(@PathId() id: Uuid, @CurrentCaller() caller: Caller): Promise<object> {
    return this.integrations.remove(id, caller);
  }

  @Get(':id/audit')
  @Allow('integration.audit.read')
  // A system client may not read its own log either.
  @AllowOnly('user')
  @ApiOperation({
    operationId: 'integrations-audit',
    summary: 'What an integration did',
    description:
      'Its operations, the newest first. What was done to it is in the log of whoever did it. A page ends early at 2 MiB: the next one is at `skip` plus the number of its results.',
  })
  @ApiResponse({ status: 200, description: 'A page of its operations, and how many there are', schema: AUDIT_SCHEMA })
  audit(@PathId() id: Uuid, @Query() query: AuditPageDto): Promise<AuditPage> {
    return this.integrations.audit(id, query);
  }
}

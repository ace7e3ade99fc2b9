import type { Readable } from 'node:stream';
import { Body, Controller, Delete, Get, Header, HttpCode, Param, Post, Res } from '@nestjs/common';
import { ApiBearerAuth, ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Allow, AllowOnly, CurrentCaller, UuidParam } from '../../auth/access/decorators.js';
import { type Caller, rowFilterOf } from '../../kernel/domain/scopes/caller.js';
import { HangUp } from '../../platform/queue/hang-up.js';
import { parseUuid } from '../../kernel/domain/uuid.js';
import { Capacities } from '../../platform/queue/capacities.js';
import { clientIdOf, noSuchWebhook } from './own-subscription.js';
import { DENIED_SCHEMA, ENTRIES_SCHEMA, SubscribeDto } from './subscribe.dto.js';
import { Subscribe } from './subscribe.js';
import { SubscriptionList } from './subscription-list.js';
import { Subscriptions } from './subscriptions.js';

/** Subscriptions of the caller (W-1, W-3). */
@ApiTags('Webhooks')
@ApiBearerAuth()
@Controller('webhooks')
@Allow('webhook.subscribe')
@AllowOnly('system')
export class SubscriptionsController {
  constructor(
    private readonly subscriptions: Subscriptions,
    private readonly lists: SubscriptionList,
    private readonly subscribing: Subscribe,
    private readonly capacities: Capacities,
  ) {}

  @Get()
  @ApiOperation({
    operationId: 'webhook-list',
    summary: 'The subscriptions of the calling client',
    description: 'The oldest first.',
  })
  @ApiResponse({ status: 200, description: 'The subscriptions, the oldest first', schema: ENTRIES_SCHEMA })
  @Header('content-type', 'application/json; charset=utf-8')
  list(@CurrentCaller() caller: Caller, @HangUp() hungUp: AbortSignal): Promise<string | Readable> {
    return this.lists.write(clientIdOf(caller), hungUp);
  }

  @Post()
  @HttpCode(202)
  @ApiOperation({
    operationId: 'webhook-subscribe',
    summary: 'Subscribe to a topic, or renew a subscription',
    description:
      'The callback is asked to return a challenge before anything is sent there. The same client, topic and callback renew a subscription and keep its id.',
  })
  @ApiResponse({ status: 202, description: 'The callback was verified, and is subscribed' })
  @ApiResponse({
    status: 400,
    description:
      'Denied, with the reason; an error object when the body is not `{hub: {…}}`, for a `query` or a `format` that is wrong, and for more subscriptions or filters than a client may have',
    schema: { oneOf: [DENIED_SCHEMA, { $ref: '#/components/schemas/ErrorObject' }] },
    example: { hub: { mode: 'denied', topic: 'BIRTH_REGISTERED', reason: 'hub.secret is incorrect' } },
  })
  async subscribe(
    @Body() { hub }: SubscribeDto,
    @CurrentCaller() caller: Caller,
    @HangUp() hungUp: AbortSignal,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<object | undefined> {
    const readable = rowFilterOf(caller, 'record.read');
    const outcome = await this.subscribing.subscribe(clientIdOf(caller), hub, readable, hungUp);
    if (outcome.kind === 'subscribed') return undefined;
    reply.status(400);
    return { hub: { mode: 'denied', topic: hub.topic, reason: outcome.reason } };
  }

  @Delete(':webhookId')
  @HttpCode(204)
  @ApiOperation({
    operationId: 'webhook-remove',
    summary: 'End a subscription; what waits for it is dropped',
    description: 'Nothing more is begun for it after the answer.',
  })
  @UuidParam('webhookId')
  @ApiResponse({ status: 204, description: 'Removed' })
  async remove(
    @Param('webhookId') webhookId: string,
    @CurrentCaller() caller: Caller,
    @HangUp() hungUp: AbortSignal,
  ): Promise<void> {
    const id = parseUuid(webhookId);
    const clientId = clientIdOf(caller);
    const isRemoved =
      id !== undefined &&
      (await this.capacities.run('webhooks', { client: clientId, hungUp }, () =>
        this.subscriptions.remove(clientId, id),
      ));
    if (!isRemoved) throw noSuchWebhook(webhookId);
  }
}

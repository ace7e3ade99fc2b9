import { Body, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiBearerAuth, ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import { Allow, AllowOnly, ApiSharedError, CurrentCaller, UuidParam } from '../../auth/access/decorators.js';
import { TOPICS } from '../../kernel/domain/life-cycle/topic.js';
import type { Caller } from '../../kernel/domain/scopes/caller.js';
import { parseUuid } from '../../kernel/domain/uuid.js';
import { ServiceError } from '../../kernel/errors/service-error.js';
import { actorOf } from '../../platform/audit/audit-entry.js';
import { closedObject, dateTime, uuid } from '../../platform/dto/schemas.js';
import { ATTEMPTS_SCHEMA, type InTurn, REPLAYED_SCHEMA } from '../../platform/outbox/outbox-log.js';
import { HangUp } from '../../platform/queue/hang-up.js';
import { clientIdOf, ownSubscription } from '../subscriptions/own-subscription.js';
import { type Subscription, Subscriptions } from '../subscriptions/subscriptions.js';
import { Capacities } from '../../platform/queue/capacities.js';
import { DeliveriesQueryDto, ReplayDto } from './deliveries.dto.js';
import { DELIVERY_STATUSES } from './delivery-status.js';
import { DeliveryLog, type DeliveryPage } from './delivery-log.js';

const status = {
  type: 'string',
  enum: [...DELIVERY_STATUSES],
  description:
    '`dead`: given up after the last attempt, or as the subscription was disabled; `dropped`: as the subscription had ended',
};

/** OpenAPI schemas of the delivery log (W-10). */
const DELIVERIES_SCHEMA = closedObject({
  deliveries: {
    type: 'array',
    items: closedObject({
      id: { ...uuid, description: '`payload.id` of the notification' },
      topic: { type: 'string', enum: [...TOPICS] },
      eventId: uuid,
      status,
      createdAt: dateTime,
      nextAttemptAt: { type: ['string', 'null'], format: 'date-time', description: 'null unless it is pending' },
      attempts: ATTEMPTS_SCHEMA,
    }),
  },
  cursor: { type: ['string', 'null'], description: 'Brings the next page; null when there is none' },
});

const NOT_ACTIVE = 'The subscription is disabled or has ended: subscribe again first';

/** Deliveries to the caller's subscriptions, and their replay (W-10). */
@ApiTags('Webhooks')
@ApiBearerAuth()
@Controller('webhooks/:webhookId')
@Allow('webhook.subscribe')
@AllowOnly('system')
export class DeliveriesController {
  constructor(
    private readonly subscriptions: Subscriptions,
    private readonly deliveries: DeliveryLog,
    private readonly capacities: Capacities,
  ) {}

  @Get('deliveries')
  @ApiOperation({
    operationId: 'webhook-deliveries',
    summary: 'Deliveries of a subscription, the newest first',
    description:
      'Each with its latest 20 attempts: when, how long, and what came of it. Where attempts are long, a page has fewer than `limit`; `cursor` says whether there are more.',
  })
  @UuidParam('webhookId')
  @ApiResponse({ status: 200, description: 'A page of deliveries', schema: DELIVERIES_SCHEMA })
  async list(
    @Param('webhookId') webhookId: string,
    @Query() query: DeliveriesQueryDto,
    @CurrentCaller() caller: Caller,
    @HangUp() hungUp: AbortSignal,
  ): Promise<DeliveryPage> {
    return this.capacities.run('webhooks', { client: clientIdOf(caller), hungUp }, async () => {
      const { id } = await ownSubscription(this.subscriptions, caller, webhookId);
      return this.deliveries.page(id, query);
    });
  }

  @Post('deliveries/:deliveryId/replay')
  @HttpCode(202)
  @ApiOperation({
    operationId: 'webhook-delivery-replay',
    summary: 'Make a delivery again, whatever became of it',
    description: 'The same bytes under the same id are sent again.',
  })
  @UuidParam('webhookId')
  @UuidParam('deliveryId')
  @ApiResponse({ status: 202, description: 'It is made again, with the same bytes' })
  @ApiSharedError('CONFLICT', NOT_ACTIVE)
  async replayOne(
    @Param('webhookId') webhookId: string,
    @Param('deliveryId') deliveryId: string,
    @CurrentCaller() caller: Caller,
    @HangUp() hungUp: AbortSignal,
  ): Promise<void> {
    await this.capacities.run('webhooks', { client: clientIdOf(caller), hungUp }, async () => {
      const subscription = await ownSubscription(this.subscriptions, caller, webhookId);
      refuseUnlessActive(subscription);
      const id = parseUuid(deliveryId);
      if (id === undefined || !(await this.deliveries.replayOne(subscription.id, id, actorOf(caller)))) {
        throw new ServiceError('NOT_FOUND', `Delivery not found with id: ${deliveryId}`);
      }
    });
  }

  @Post('replay')
  @HttpCode(202)
  @ApiOperation({
    operationId: 'webhook-replay',
    summary: 'Make the deliveries of a time again',
    description: 'Those that were made in the time and have the status, by default the dead ones.',
  })
  @UuidParam('webhookId')
  @ApiResponse({ status: 202, description: 'They are made again, with the same bytes', schema: REPLAYED_SCHEMA })
  @ApiSharedError('CONFLICT', NOT_ACTIVE)
  async replay(
    @Param('webhookId') webhookId: string,
    @Body() request: ReplayDto,
    @CurrentCaller() caller: Caller,
    @HangUp() hungUp: AbortSignal,
  ): Promise<{ readonly replayed: number }> {
    const inTurn: InTurn = (work) => this.capacities.run('webhooks', { client: clientIdOf(caller), hungUp }, work);
    const subscription = await inTurn(() => ownSubscription(this.subscriptions, caller, webhookId));
    refuseUnlessActive(subscription);
    return { replayed: await this.deliveries.replay(subscription.id, request, actorOf(caller), inTurn) };
  }
}

/** Nothing is delivered to a subscription that is disabled or has ended: it must be subscribed again first (W-7). */
function refuseUnlessActive({ status }: Subscription): void {
  if (status !== 'active') throw new ServiceError('CONFLICT', `The webhook is ${status}; subscribe again first`);
}

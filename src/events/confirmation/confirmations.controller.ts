import { Body, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiBearerAuth, ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import { Allow, ApiSharedError, CurrentCaller, InTurn, UuidParam } from '../../auth/access/decorators.js';
import { ACTION_TYPES } from '../../kernel/domain/event-action.js';
import type { Caller } from '../../kernel/domain/scopes/caller.js';
import { parseUuid } from '../../kernel/domain/uuid.js';
import { ServiceError } from '../../kernel/errors/service-error.js';
import { actorOf } from '../../platform/audit/audit-entry.js';
import { closedObject, dateTime, uuid } from '../../platform/dto/schemas.js';
import { ATTEMPTS_SCHEMA, REPLAYED_SCHEMA } from '../../platform/outbox/outbox-log.js';
import { Capacities } from '../../platform/queue/capacities.js';
import { HangUp } from '../../platform/queue/hang-up.js';
import { ConfirmationLog, type ConfirmationPage } from './confirmation-log.js';
import { ConfirmationReplayDto, ConfirmationsQueryDto } from './confirmations.dto.js';
import { CONFIRMATION_STATUSES } from './confirmation-status.js';

/** OpenAPI schema of the list of confirmations. */
const CONFIRMATIONS_SCHEMA = closedObject({
  confirmations: {
    type: 'array',
    items: closedObject({
      actionId: { ...uuid, description: 'Of the Requested action' },
      eventId: uuid,
      eventType: { type: 'string' },
      actionType: { type: 'string', enum: [...ACTION_TYPES] },
      status: {
        type: 'string',
        enum: [...CONFIRMATION_STATUSES],
        description:
          '`waiting`: a 202, and no answer yet; `dead`: given up after the last attempt; `over`: answered otherwise, or gone',
      },
      createdAt: dateTime,
      nextAttemptAt: { type: ['string', 'null'], format: 'date-time', description: 'null unless it is pending' },
      attempts: ATTEMPTS_SCHEMA,
    }),
  },
  cursor: { type: ['string', 'null'], description: 'Brings the next page; null when there is none' },
});

/** The log of requested actions, for administrators, on the internal port (E-15). */
@ApiTags('Records')
@ApiBearerAuth()
@Controller('confirmations')
@Allow('sysadmin')
export class ConfirmationsController {
  constructor(
    private readonly log: ConfirmationLog,
    private readonly capacities: Capacities,
  ) {}

  @Get()
  @InTurn('administration')
  @ApiOperation({
    operationId: 'confirmation-list',
    summary: 'Requested actions that the country configuration confirms, the newest first',
    description: 'Each with its attempts: when, how long, and what came of it.',
  })
  @ApiResponse({ status: 200, description: 'A page of confirmations', schema: CONFIRMATIONS_SCHEMA })
  list(@Query() query: ConfirmationsQueryDto): Promise<ConfirmationPage> {
    return this.log.page(query);
  }

  @Post(':actionId/replay')
  @InTurn('administration')
  @HttpCode(202)
  @ApiOperation({
    operationId: 'confirmation-replayOne',
    summary: 'Post a requested action again that has no answer yet',
    description: 'Whatever became of it before; the schedule begins anew.',
  })
  @UuidParam('actionId')
  @ApiResponse({ status: 202, description: 'It is posted again' })
  @ApiSharedError('CONFLICT', 'The action has an answer')
  async replayOne(@Param('actionId') actionId: string, @CurrentCaller() caller: Caller): Promise<void> {
    const id = parseUuid(actionId);
    const replayed = id === undefined ? 'unknown' : await this.log.replayOne(id, actorOf(caller));
    if (replayed === 'unknown') throw new ServiceError('NOT_FOUND', `Confirmation not found with id: ${actionId}`);
    if (replayed === 'settled') throw new ServiceError('CONFLICT', `Action ${actionId} is not awaiting confirmation.`);
  }

  @Post('replay')
  @HttpCode(202)
  @ApiOperation({
    operationId: 'confirmation-replay',
    summary: 'Post requested actions again that have no answer yet',
    description: 'Those that were requested in the time and have the status, by default the dead ones.',
  })
  @ApiResponse({ status: 202, description: 'They are posted again', schema: REPLAYED_SCHEMA })
  async replay(
    @Body() request: ConfirmationReplayDto,
    @CurrentCaller() caller: Caller,
    @HangUp() hungUp: AbortSignal,
  ): Promise<{ readonly replayed: number }> {
    const inTurn = <T>(work: () => Promise<T>): Promise<T> =>
      this.capacities.run('administration', { client: caller.subject, hungUp }, work);
    return { replayed: await this.log.replay(request, actorOf(caller), inTurn) };
  }
}

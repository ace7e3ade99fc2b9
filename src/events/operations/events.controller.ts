import { Body, Controller, Param } from '@nestjs/common';
import { ApiQuery, ApiResponse } from '@nestjs/swagger';
import {
  Allow,
  AllowOnly,
  ApiSharedError,
  type Asker,
  CurrentAsker,
  OwnUrlKeys,
} from '../../auth/access/decorators.js';
import { closedObject, uuid } from '../../platform/dto/schemas.js';
import type { EventView } from './decisions/event-view.js';
import { DuplicateReview } from './duplicate-review.js';
import { ActionOperation, EVENT_DOCUMENTS, EventOperation } from './event-operation.js';
import { EventOperations } from './event-operations.js';
import { CreateAndNotifyDto, CreateEventDto, NotificationDto } from './decisions/action.dto.js';
import { askedAction, eventIdOf } from './decisions/asked-action.js';

/** Upstream's parameters for reading. */
const WITHOUT_EFFECT = { required: false, description: 'Taken for compatibility, without effect' };

/** Operations on one event (E-4). */
@Controller('events')
export class EventsController {
  constructor(
    private readonly operations: EventOperations,
    private readonly review: DuplicateReview,
  ) {}

  @EventOperation({
    path: '',
    tag: 'Create',
    operationId: 'event-create',
    summary: 'Create an event',
    description:
      'A draft, which searches do not find until it is notified or declared. A user gets it assigned; a system client says where it is created.',
    body: CreateEventDto,
  })
  @Allow('record.create')
  create(@Body() body: CreateEventDto, @CurrentAsker() asker: Asker): Promise<EventView> {
    return this.operations.create(body, asker);
  }

  @EventOperation({
    path: 'notify',
    tag: 'Notify',
    operationId: 'event-createAndNotify',
    summary: 'Create an event and notify it',
    description:
      'In one transaction: a refused request leaves nothing behind. Scopes for both `record.create` and `record.notify` must cover the event.',
    body: CreateAndNotifyDto,
    action: 'NOTIFY',
  })
  @Allow('record.notify')
  @AllowOnly('system')
  createAndNotify(@Body() body: CreateAndNotifyDto, @CurrentAsker() asker: Asker): Promise<EventView> {
    return this.operations.createAndNotify(body, asker);
  }

  @ActionOperation('NOTIFY', {
    path: 'notifications',
    tag: 'Notify',
    operationId: 'event-notifications',
    summary: 'Notify an event: the name of earlier releases',
    body: NotificationDto,
  })
  notification(@Body() body: NotificationDto, @CurrentAsker() asker: Asker): Promise<EventView> {
    return this.operations.act(eventIdOf(body.eventId), askedAction('NOTIFY', body), asker);
  }

  @ActionOperation('READ', {
    method: 'GET',
    path: ':eventId',
    operationId: 'event-get',
    summary: 'Read an event with its actions',
    description: 'Appends READ to it, up to a thousand times; what follows is in the audit log alone.',
  })
  @OwnUrlKeys(['waitFor', 'customActionType'])
  @ApiQuery({ name: 'waitFor', ...WITHOUT_EFFECT, schema: { type: 'boolean' } })
  @ApiQuery({ name: 'customActionType', ...WITHOUT_EFFECT, schema: { type: 'string' } })
  get(@Param('eventId') eventId: string, @CurrentAsker() asker: Asker): Promise<EventView> {
    return this.operations.read(eventIdOf(eventId), asker);
  }

  @EventOperation({
    method: 'GET',
    path: ':eventId/duplicates',
    operationId: 'event-getDuplicates',
    summary: 'The events that a record may be a duplicate of',
    description:
      'With their actions; appends READ to each of them. 404 as a whole if one of them is not accessible, 409 if they are too much for one answer.',
    answer: { description: 'The events, in the order of `potentialDuplicates`', schema: EVENT_DOCUMENTS },
  })
  @ApiSharedError('CONFLICT', 'They are too much for one answer')
  @Allow('record.review-duplicates')
  @AllowOnly('user')
  duplicates(@Param('eventId') eventId: string, @CurrentAsker() asker: Asker): Promise<readonly EventView[]> {
    return this.review.duplicatesOf(eventIdOf(eventId), asker);
  }

  @EventOperation({
    method: 'DELETE',
    path: ':eventId',
    operationId: 'event-delete',
    summary: 'Delete a draft',
    description: 'By the user who has it. Nothing is kept of it but a row of the audit log.',
  })
  @ApiResponse({
    status: 200,
    description: 'It is deleted',
    schema: closedObject({ id: uuid }),
  })
  @Allow('record.declare', 'record.notify')
  @AllowOnly('user')
  delete(@Param('eventId') eventId: string, @CurrentAsker() asker: Asker): Promise<{ readonly id: string }> {
    return this.operations.delete(eventIdOf(eventId), asker);
  }
}

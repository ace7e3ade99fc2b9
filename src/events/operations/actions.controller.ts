import { Body, Controller, Param } from '@nestjs/common';
import { ApiParam } from '@nestjs/swagger';
import { type Asker, CurrentAsker } from '../../auth/access/decorators.js';
import type { ActionType } from '../../kernel/domain/event-action.js';
import type { EventView } from './decisions/event-view.js';
import { ActionOperation } from './event-operation.js';
import { EventOperations } from './event-operations.js';
import { ActionDto, ActionWithContentDto, AssignmentDto, ReasonedActionDto } from './decisions/action.dto.js';
import { askedAction, CUSTOM_ACTION_TYPE, customActionTypeOf, eventIdOf } from './decisions/asked-action.js';

/** User actions on one event (E-4). */
@Controller('events')
export class ActionsController {
  constructor(private readonly operations: EventOperations) {}

  @ActionOperation('DECLARE', {
    path: ':eventId/actions/declare',
    operationId: 'event-actions-declare',
    summary: 'Declare an event',
    body: ActionDto,
  })
  declare(
    @Param('eventId') eventId: string,
    @Body() body: ActionDto,
    @CurrentAsker() asker: Asker,
  ): Promise<EventView> {
    return this.act(eventId, 'DECLARE', body, asker);
  }

  @ActionOperation('EDIT', {
    path: ':eventId/actions/edit',
    operationId: 'event-actions-edit',
    summary: 'Begin to edit a notified or declared record',
    body: ActionWithContentDto,
  })
  edit(
    @Param('eventId') eventId: string,
    @Body() body: ActionWithContentDto,
    @CurrentAsker() asker: Asker,
  ): Promise<EventView> {
    return this.act(eventId, 'EDIT', body, asker);
  }

  @ActionOperation('REGISTER', {
    path: ':eventId/actions/register',
    operationId: 'event-actions-register',
    summary: 'Register a declared record',
    body: ActionDto,
  })
  register(
    @Param('eventId') eventId: string,
    @Body() body: ActionDto,
    @CurrentAsker() asker: Asker,
  ): Promise<EventView> {
    return this.act(eventId, 'REGISTER', body, asker);
  }

  @ActionOperation('REJECT', {
    path: ':eventId/actions/reject',
    operationId: 'event-actions-reject',
    summary: 'Send a record back for updates: `content.reason` is required',
    body: ReasonedActionDto,
  })
  reject(
    @Param('eventId') eventId: string,
    @Body() body: ReasonedActionDto,
    @CurrentAsker() asker: Asker,
  ): Promise<EventView> {
    return this.act(eventId, 'REJECT', body, asker);
  }

  @ActionOperation('ARCHIVE', {
    path: ':eventId/actions/archive',
    operationId: 'event-actions-archive',
    summary: 'Archive a record: `content.reason` is required',
    body: ReasonedActionDto,
  })
  archive(
    @Param('eventId') eventId: string,
    @Body() body: ReasonedActionDto,
    @CurrentAsker() asker: Asker,
  ): Promise<EventView> {
    return this.act(eventId, 'ARCHIVE', body, asker);
  }

  @ActionOperation('UNARCHIVE', {
    path: ':eventId/actions/unarchive',
    operationId: 'event-actions-unarchive',
    summary: 'Restore an archived record',
    body: ActionWithContentDto,
  })
  unarchive(
    @Param('eventId') eventId: string,
    @Body() body: ActionWithContentDto,
    @CurrentAsker() asker: Asker,
  ): Promise<EventView> {
    return this.act(eventId, 'UNARCHIVE', body, asker);
  }

  @ActionOperation('PRINT_CERTIFICATE', {
    path: ':eventId/actions/print-certificate',
    operationId: 'event-actions-printCertificate',
    summary: 'Note that a certificate was printed: `content.templateId` names its template',
    body: ActionWithContentDto,
  })
  printCertificate(
    @Param('eventId') eventId: string,
    @Body() body: ActionWithContentDto,
    @CurrentAsker() asker: Asker,
  ): Promise<EventView> {
    return this.act(eventId, 'PRINT_CERTIFICATE', body, asker);
  }

  @ActionOperation('MARK_AS_DUPLICATE', {
    path: ':eventId/actions/mark-as-duplicate',
    operationId: 'event-actions-markAsDuplicate',
    summary: 'Mark a record as a duplicate: `content.duplicateOf` may name of which',
    body: ActionWithContentDto,
  })
  markAsDuplicate(
    @Param('eventId') eventId: string,
    @Body() body: ActionWithContentDto,
    @CurrentAsker() asker: Asker,
  ): Promise<EventView> {
    return this.act(eventId, 'MARK_AS_DUPLICATE', body, asker);
  }

  @ActionOperation('MARK_AS_NOT_DUPLICATE', {
    path: ':eventId/actions/mark-as-not-duplicate',
    operationId: 'event-actions-markAsNotDuplicate',
    summary: 'Mark a record as no duplicate',
    body: ActionDto,
  })
  markAsNotDuplicate(
    @Param('eventId') eventId: string,
    @Body() body: ActionDto,
    @CurrentAsker() asker: Asker,
  ): Promise<EventView> {
    return this.act(eventId, 'MARK_AS_NOT_DUPLICATE', body, asker);
  }

  @ActionOperation('REVOKE_REGISTRATION', {
    path: ':eventId/actions/revoke-registration',
    operationId: 'event-actions-revokeRegistration',
    summary: 'Revoke a registration',
    body: ActionWithContentDto,
  })
  revokeRegistration(
    @Param('eventId') eventId: string,
    @Body() body: ActionWithContentDto,
    @CurrentAsker() asker: Asker,
  ): Promise<EventView> {
    return this.act(eventId, 'REVOKE_REGISTRATION', body, asker);
  }

  @ActionOperation('REINSTATE_REGISTRATION', {
    path: ':eventId/actions/reinstate-registration',
    operationId: 'event-actions-reinstateRegistration',
    summary: 'Reinstate a revoked registration',
    body: ActionWithContentDto,
  })
  reinstateRegistration(
    @Param('eventId') eventId: string,
    @Body() body: ActionWithContentDto,
    @CurrentAsker() asker: Asker,
  ): Promise<EventView> {
    return this.act(eventId, 'REINSTATE_REGISTRATION', body, asker);
  }

  @ActionOperation('DEACTIVATE_REGISTRATION', {
    path: ':eventId/actions/deactivate-registration',
    operationId: 'event-actions-deactivateRegistration',
    summary: 'Make a registration inactive',
    body: ActionWithContentDto,
  })
  deactivateRegistration(
    @Param('eventId') eventId: string,
    @Body() body: ActionWithContentDto,
    @CurrentAsker() asker: Asker,
  ): Promise<EventView> {
    return this.act(eventId, 'DEACTIVATE_REGISTRATION', body, asker);
  }

  @ActionOperation('REACTIVATE_REGISTRATION', {
    path: ':eventId/actions/reactivate-registration',
    operationId: 'event-actions-reactivateRegistration',
    summary: 'Make an inactive registration active again',
    body: ActionWithContentDto,
  })
  reactivateRegistration(
    @Param('eventId') eventId: string,
    @Body() body: ActionWithContentDto,
    @CurrentAsker() asker: Asker,
  ): Promise<EventView> {
    return this.act(eventId, 'REACTIVATE_REGISTRATION', body, asker);
  }

  @ActionOperation('ASSIGN', {
    path: ':eventId/actions/assign',
    operationId: 'event-actions-assign',
    summary: 'Take an event',
    description: 'An event that nobody has; one that the caller has stays as it is.',
    body: AssignmentDto,
  })
  assign(
    @Param('eventId') eventId: string,
    @Body() body: AssignmentDto,
    @CurrentAsker() asker: Asker,
  ): Promise<EventView> {
    return this.act(eventId, 'ASSIGN', body, asker);
  }

  @ActionOperation('UNASSIGN', {
    path: ':eventId/actions/unassign',
    operationId: 'event-actions-unassign',
    summary: 'Give an event back',
    description: 'What another user has needs `record.unassign-others`; what nobody has stays as it is.',
    body: AssignmentDto,
  })
  unassign(
    @Param('eventId') eventId: string,
    @Body() body: AssignmentDto,
    @CurrentAsker() asker: Asker,
  ): Promise<EventView> {
    return this.act(eventId, 'UNASSIGN', body, asker);
  }

  @ActionOperation('CUSTOM', {
    path: ':eventId/actions/custom/:customActionType',
    operationId: 'event-actions-custom',
    summary: 'Take a custom action, such as SEAL',
    description: 'The scope must permit the type of the custom action; `content` may hold anything.',
    body: ActionWithContentDto,
  })
  @ApiParam({
    name: 'customActionType',
    schema: { type: 'string', pattern: CUSTOM_ACTION_TYPE.source },
    example: 'SEAL',
  })
  custom(
    @Param('eventId') eventId: string,
    @Param('customActionType') customActionType: string,
    @Body() body: ActionWithContentDto,
    @CurrentAsker() asker: Asker,
  ): Promise<EventView> {
    const id = eventIdOf(eventId);
    const path = { eventId: id, customActionType: customActionTypeOf(customActionType) };
    return this.operations.act(id, askedAction('CUSTOM', body, path), asker);
  }

  private act(eventId: string, type: ActionType, body: ActionDto, asker: Asker): Promise<EventView> {
    const id = eventIdOf(eventId);
    return this.operations.act(id, askedAction(type, body, { eventId: id }), asker);
  }
}

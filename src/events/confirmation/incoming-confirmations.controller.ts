import { applyDecorators, Body, Controller, Param } from '@nestjs/common';
import { ApiParam } from '@nestjs/swagger';
import { Allow, AllowOnly, type Asker, CurrentAsker, UuidParam } from '../../auth/access/decorators.js';
import type { EventView } from '../operations/decisions/event-view.js';
import { EventOperation } from '../operations/event-operation.js';
import { AcceptDto, actionTypeOf, askedAcceptance, askedRejection, RejectDto } from './asked-confirmation.js';
import { PERMISSIONS } from './decide-confirmation.js';
import { IncomingConfirmations } from './incoming-confirmations.js';

interface ConfirmationOperation {
  readonly path: string;
  readonly operationId: string;
  readonly summary: string;
}

/** A route by which system clients alone accept requested actions. */
const Acceptance = (operation: ConfirmationOperation): MethodDecorator =>
  applyDecorators(
    EventOperation({
      ...operation,
      description:
        '`declaration` replaces what was requested where it says something else. Accepting again changes nothing; what was rejected, or waits for nobody, is a 400; what the record has gone on without, a 409.',
      body: AcceptDto,
    }),
    Allow(PERMISSIONS.accept),
    AllowOnly('system'),
  );

/** A route by which system clients alone reject requested actions. */
const Rejection = (operation: ConfirmationOperation): MethodDecorator =>
  applyDecorators(
    EventOperation({
      ...operation,
      description:
        '`content.reason` says why; a `declaration` must be empty. Rejecting again changes nothing; what was accepted, or waits for nobody, is a 400.',
      body: RejectDto,
    }),
    Allow(PERMISSIONS.reject),
    AllowOnly('system'),
  );

const ActionName = (): MethodDecorator =>
  ApiParam({
    name: 'action',
    description: 'The type of the action in lower case, with hyphens: `print-certificate`',
    example: 'register',
  });

/** Later answers to requested actions, by system clients (E-8, E-14). */
@Controller('events')
export class IncomingConfirmationsController {
  constructor(private readonly confirmations: IncomingConfirmations) {}

  @Acceptance({
    path: ':eventId/actions/:actionId/accept',
    operationId: 'event-actions-accept',
    summary: 'Accept a requested action',
  })
  @UuidParam('actionId')
  acceptAction(
    @Param('eventId') eventId: string,
    @Param('actionId') actionId: string,
    @Body() body: AcceptDto,
    @CurrentAsker() asker: Asker,
  ): Promise<EventView> {
    return this.confirmations.confirm(askedAcceptance({ eventId, actionId }, body), asker);
  }

  @Rejection({
    path: ':eventId/actions/:actionId/reject',
    operationId: 'event-actions-rejectRequest',
    summary: 'Reject a requested action',
  })
  @UuidParam('actionId')
  rejectAction(
    @Param('eventId') eventId: string,
    @Param('actionId') actionId: string,
    @Body() body: RejectDto,
    @CurrentAsker() asker: Asker,
  ): Promise<EventView> {
    return this.confirmations.confirm(askedRejection({ eventId, actionId }, body), asker);
  }

  @Acceptance({
    path: ':eventId/:action/accept',
    operationId: 'event-acceptByType',
    summary: 'Accept the latest request of a type of action',
  })
  @ActionName()
  accept(
    @Param('eventId') eventId: string,
    @Param('action') action: string,
    @Body() body: AcceptDto,
    @CurrentAsker() asker: Asker,
  ): Promise<EventView> {
    const type = actionTypeOf(action);
    return this.confirmations.confirm(askedAcceptance({ eventId, type }, body), asker);
  }

  @Rejection({
    path: ':eventId/:action/reject',
    operationId: 'event-rejectByType',
    summary: 'Reject the latest request of a type of action',
  })
  @ActionName()
  reject(
    @Param('eventId') eventId: string,
    @Param('action') action: string,
    @Body() body: RejectDto,
    @CurrentAsker() asker: Asker,
  ): Promise<EventView> {
    const type = actionTypeOf(action);
    return this.confirmations.confirm(askedRejection({ eventId, type }, body), asker);
  }
}

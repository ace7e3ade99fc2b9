import { Body, Controller, Param } from '@nestjs/common';
import { ApiParam } from '@nestjs/swagger';
import { Allow, AllowOnly, type Asker, CurrentAsker, UuidParam } from '../../auth/access/decorators.js';
import { type Dto, Takes } from '../../platform/dto/members.js';
import type { EventView } from '../operations/decisions/event-view.js';
import { EventOperation } from '../operations/event-operation.js';
import {
  AcceptDto,
  actionTypeOf,
  type AskedConfirmation,
  askedAcceptance,
  askedRejection,
  type ConfirmedPath,
  RejectDto,
} from './asked-confirmation.js';
import { PERMISSIONS } from './decide-confirmation.js';
import { IncomingConfirmations } from './incoming-confirmations.js';

interface Answer<B extends object> {
  readonly verb: 'accept' | 'reject';
  /** The route by the action's id has the first, the one by its type the second. */
  readonly operationIds: readonly [string, string];
  readonly summary: string;
  readonly description: string;
  readonly body: Dto<B>;
  readonly asked: (path: ConfirmedPath, body: B) => AskedConfirmation;
}

/** Later answers to requested actions, by system clients alone (E-8, E-14). */
function answersController<B extends object>({ verb, operationIds, body: BodyDto, asked, ...operation }: Answer<B>) {
  @Controller('events')
  class AnswersController {
    constructor(private readonly confirmations: IncomingConfirmations) {}

    @Takes(BodyDto)
    @EventOperation({
      path: `:eventId/actions/:actionId/${verb}`,
      operationId: operationIds[0],
      body: BodyDto,
      ...operation,
      summary: `${operation.summary} a requested action`,
    })
    @Allow(PERMISSIONS[verb])
    @AllowOnly('system')
    @UuidParam('actionId')
    ofAction(
      @Body() body: B,
      @Param('eventId') eventId: string,
      @Param('actionId') actionId: string,
      @CurrentAsker() asker: Asker,
    ): Promise<EventView> {
      return this.confirmations.confirm(asked({ eventId, actionId }, body), asker);
    }

    @Takes(BodyDto)
    @EventOperation({
      path: `:eventId/:action/${verb}`,
      operationId: operationIds[1],
      body: BodyDto,
      ...operation,
      summary: `${operation.summary} the latest request of a type of action`,
    })
    @Allow(PERMISSIONS[verb])
    @AllowOnly('system')
    @ApiParam({
      name: 'action',
      description: 'The type of the action in lower case, with hyphens: `print-certificate`',
      example: 'register',
    })
    ofType(
      @Body() body: B,
      @Param('eventId') eventId: string,
      @Param('action') action: string,
      @CurrentAsker() asker: Asker,
    ): Promise<EventView> {
      return this.confirmations.confirm(asked({ eventId, type: actionTypeOf(action) }, body), asker);
    }
  }
  return AnswersController;
}

export const AcceptancesController = answersController({
  verb: 'accept',
  operationIds: ['event-actions-accept', 'event-acceptByType'],
  summary: 'Accept',
  description:
    '`declaration` replaces what was requested where it says something else. Accepting again changes nothing; what was rejected, or waits for nobody, is a 400; what the record has gone on without, a 409.',
  body: AcceptDto,
  asked: askedAcceptance,
});

export const RejectionsController = answersController({
  verb: 'reject',
  operationIds: ['event-actions-rejectRequest', 'event-rejectByType'],
  summary: 'Reject',
  description:
    '`content.reason` says why; a `declaration` must be empty. Rejecting again changes nothing; what was accepted, or waits for nobody, is a 400.',
  body: RejectDto,
  asked: askedRejection,
});

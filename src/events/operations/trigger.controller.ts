import { Body, Controller, HttpCode, Param, Post } from '@nestjs/common';
import { ApiBearerAuth, ApiBody, ApiOperation, ApiParam, ApiResponse, ApiTags } from '@nestjs/swagger';
import { Allow, ApiSharedError, type Asker, CurrentAsker } from '../../auth/access/decorators.js';
import { dateTime, uuid } from '../../platform/dto/schemas.js';
import { ACTION_TYPES, type ActionType } from '../../kernel/domain/event-action.js';
import { Faults, INVALID_INPUT } from '../../kernel/errors/faults.js';
import { ServiceError } from '../../kernel/errors/service-error.js';
import { checkEventSize } from '../records/declaration-size.js';
import { parseEventDocument } from '../records/parse-event-document.js';
import { sizeOfCommand } from '../write/command.js';
import { ACTION_MEMBERS } from './event-operation.js';
import { TriggerService } from './trigger.service.js';

const NAME = { type: 'string', minLength: 1, maxLength: 256 };

const { id, type, status, createdBy, ...others } = ACTION_MEMBERS;
const REQUIRED = { id, type, status, createdAt: dateTime, createdBy };

const ACTION_SCHEMA = {
  type: 'object',
  required: Object.keys(REQUIRED),
  description: 'An action as upstream writes it; keys that are not known here are passed over',
  properties: {
    ...Object.fromEntries(Object.entries(others).map(([key, schema]) => [key, { anyOf: [schema, { type: 'null' }] }])),
    ...REQUIRED,
  },
};

const DOCUMENT_SCHEMA = {
  type: 'object',
  required: ['id', 'type', 'trackingId', 'actions'],
  description: 'The whole event document, as a country configuration is told of it',
  properties: {
    id: uuid,
    type: NAME,
    trackingId: NAME,
    createdAt: dateTime,
    updatedAt: dateTime,
    actions: { type: 'array', minItems: 1, items: ACTION_SCHEMA },
  },
};

/** Feed of a country's action triggers, on the internal port. */
@ApiTags('Records')
@ApiBearerAuth()
@Controller('trigger/events')
export class TriggerController {
  constructor(private readonly triggers: TriggerService) {}

  @Post(':eventType/actions/:action')
  @HttpCode(200)
  @Allow('record.import')
  @ApiOperation({
    operationId: 'event-trigger',
    summary: 'Take in an event of which an action was accepted',
    description:
      'Stores the event document, and publishes what was accepted. Actions that are known by their id change and publish nothing, so that it can be sent again.',
  })
  @ApiParam({ name: 'eventType', description: 'The `type` of the event' })
  @ApiParam({ name: 'action', schema: { type: 'string', enum: [...ACTION_TYPES] }, description: 'In any letter case' })
  @ApiBody({ schema: DOCUMENT_SCHEMA })
  @ApiResponse({ status: 200, description: 'It is stored' })
  @ApiSharedError('CONFLICT', 'Another event has its tracking id or its registration number')
  async accept(
    @Param('eventType') eventType: string,
    @Param('action') action: string,
    @Body() body: unknown,
    @CurrentAsker() asker: Asker,
  ): Promise<void> {
    const type = actionTypeOf(action);
    requireBoundedEvent(body);
    const document = parseEventDocument(body);
    if (document.kind === 'faulty') throw invalid(document.issues);
    if (document.value.type !== eventType) {
      throw invalid([{ message: `type: must be ${JSON.stringify(eventType)}, as in the address` }]);
    }
    // The whole body is in memory until the answer.
    const size = sizeOfCommand(JSON.stringify(body));
    await this.triggers.accept({ document: document.value, type, size }, asker);
  }
}

/** Upstream uses upper case, older country configurations lower case. */
function actionTypeOf(action: string): ActionType {
  const type = ACTION_TYPES.find((candidate) => candidate === action.toUpperCase());
  if (type === undefined) throw new ServiceError('NOT_FOUND', `There are no actions of the type ${action}`);
  return type;
}

function requireBoundedEvent(body: unknown): void {
  const faults = new Faults();
  checkEventSize(body, faults);
  faults.throwIfAny();
}

const invalid = (issues: readonly { readonly message: string }[]): ServiceError =>
  new ServiceError('BAD_REQUEST', INVALID_INPUT, { issues });

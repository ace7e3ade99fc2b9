import { Controller, Get, Header } from '@nestjs/common';
import { ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import { Allow } from '../../auth/access/decorators.js';
import { closedObject, text } from '../../platform/dto/schemas.js';
import { EventConfiguration } from '../../kernel/domain/event-configuration/event-configuration.js';
import type { EventType } from '../../kernel/domain/event-configuration/event-type.js';

const label = { type: ['string', 'null'] };
const ids = { type: 'array', items: text } as const;

const FIELD_SCHEMA = closedObject({
  id: text,
  kind: text,
  label,
  required: { type: 'boolean' },
  secured: { type: 'boolean' },
  correctable: { type: 'boolean' },
});

const EVENT_TYPE_SCHEMA = closedObject({
  id: text,
  label,
  fields: { type: ['array', 'null'], items: FIELD_SCHEMA, description: 'null: any field is accepted' },
  dateOfEvent: { ...ids, description: 'Of these fields the first that is filled in' },
  placeOfEvent: { ...ids, description: 'Of these fields the first that is filled in' },
  flags: {
    type: 'array',
    items: closedObject({ id: text, label }),
  },
});

/** Event types (I-5, E-3). */
@ApiTags('Configuration')
@Controller('config')
export class EventTypesController {
  /** Serialized once: the configuration is fixed per process. */
  private readonly text: string;

  constructor(configuration: EventConfiguration) {
    this.text = JSON.stringify(configuration.types.map((id) => viewOf(configuration.typeOf(id))));
  }

  @Get()
  @Allow('authenticated')
  @Header('Content-Type', 'application/json; charset=utf-8')
  @ApiOperation({
    operationId: 'config-get',
    summary: 'The types of event and the fields of their forms',
    description: 'From `EVENT_CONFIG_FILE`; without it the types of `EVENT_TYPES`, which have no forms.',
  })
  @ApiResponse({ status: 200, description: 'The types', schema: { type: 'array', items: EVENT_TYPE_SCHEMA } })
  types(): string {
    return this.text;
  }
}

const viewOf = ({ id, label, fields, dateOfEvent, placeOfEvent, flags }: EventType): object => ({
  id,
  label,
  fields:
    fields === undefined
      ? null
      : [...fields.values()].map((field) => ({
          id: field.id,
          kind: field.kind,
          label: field.label,
          required: field.isRequired,
          secured: field.isSecured,
          correctable: field.isCorrectable,
        })),
  dateOfEvent,
  placeOfEvent,
  flags: flags.map((flag) => ({ id: flag.id, label: flag.label })),
});

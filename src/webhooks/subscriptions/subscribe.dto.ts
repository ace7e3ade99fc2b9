import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn } from 'class-validator';
import { TOPICS } from '../../kernel/domain/life-cycle/topic.js';
import { MayBeAbsent, Nested, PassedOn } from '../../platform/dto/members.js';
import { IsText } from '../../platform/dto/validators.js';
import { closedObject, dateTime, text, uuid } from '../../platform/dto/schemas.js';
import { NOTIFICATION_FORMATS, type NotificationFormat } from '../notification/notification-headers.js';

const FILTER_SCHEMA = {
  $ref: '#/components/schemas/QueryType',
  description: 'The clause tree of a search: only events whose record matches it are sent',
};

/** W-1, W-3. */
export const DENIED_SCHEMA = closedObject({
  hub: closedObject({ mode: { type: 'string', enum: ['denied'] }, topic: text, reason: text }),
});

export const ENTRIES_SCHEMA = closedObject({
  entries: {
    type: 'array',
    items: closedObject(
      {
        id: uuid,
        callback: { ...text, format: 'uri' },
        createdAt: dateTime,
        createdBy: closedObject({
          client_id: uuid,
          type: { type: 'string', enum: ['api'] },
          username: text,
          name: text,
        }),
        topic: { type: 'string', enum: [...TOPICS] },
        status: { type: 'string', enum: ['active', 'disabled', 'ended'] },
        format: { type: 'string', enum: [...NOTIFICATION_FORMATS], description: 'Absent: standard' },
        query: { ...FILTER_SCHEMA, description: 'Absent: every event of the topic' },
      },
      { required: ['id', 'callback', 'createdAt', 'createdBy', 'topic', 'status'] },
    ),
  },
});

/** `Subscribe` checks its texts, in the order of W-1. */
export class HubDto {
  @ApiProperty({ format: 'uri', pattern: '^https?:', maxLength: 2_048, description: 'Absolute https URL' })
  @IsText()
  callback: string;

  @ApiProperty({ enum: ['subscribe'] })
  @IsText()
  mode: string;

  @ApiProperty({ enum: TOPICS })
  @IsText()
  topic: string;

  @ApiProperty({ ...uuid, description: 'The `sha_secret` of the client' })
  @IsText()
  secret: string;

  @ApiPropertyOptional({
    enum: NOTIFICATION_FORMATS,
    description: 'Absent: that of the subscription that is renewed, or the default of the client',
  })
  @MayBeAbsent()
  @IsIn(NOTIFICATION_FORMATS)
  format?: NotificationFormat;

  /** Null: every event. */
  @ApiPropertyOptional({
    anyOf: [FILTER_SCHEMA, { type: 'null', description: 'Every event of the topic' }],
    description: 'Absent: that of the subscription that is renewed, or every event',
  })
  @PassedOn()
  query?: unknown;
}

/** W-1. */
export class SubscribeDto {
  @ApiProperty()
  @Nested(HubDto)
  hub: HubDto;
}

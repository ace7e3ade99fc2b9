import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn } from 'class-validator';
import { IsText } from '../../platform/dto/validators.js';
import { MayBeAbsent, Nested, PassedOn } from '../../platform/dto/members.js';
import { uuid } from '../../platform/openapi/schemas.js';
import { NOTIFICATION_FORMATS, type NotificationFormat } from '../notification/notification-format.js';
import { TOPICS } from '../../kernel/domain/life-cycle/topic.js';
import { FILTER_SCHEMA } from './subscriptions.schema.js';

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

import { ApiProperty } from '@nestjs/swagger';
import { IsIn } from 'class-validator';
import { IsUuid } from '../../platform/dto/is-uuid.js';
import { uuid } from '../../platform/openapi/value-schemas.js';
import type { Uuid } from '../../kernel/domain/uuid.js';
import { NOTIFICATION_FORMATS, type NotificationFormat } from '../notification/notification-format.js';

/** W-14. */
export class WebhookFormatDto {
  @ApiProperty(uuid)
  @IsUuid()
  client_id: Uuid;

  @ApiProperty({ enum: NOTIFICATION_FORMATS })
  @IsIn(NOTIFICATION_FORMATS)
  format: NotificationFormat;
}

import { ApiProperty } from '@nestjs/swagger';
import { IsIn } from 'class-validator';

import { IsUuid } from '../../access/dto/is-uuid.js';
import { uuid } from '../../access/value-schemas.js';
import type { Uuid } from '../../domain/uuid.js';
import type { NotificationFormat } from '../notification/notification-format.js';
import { NOTIFICATION_FORMATS } from '../notification/notification-format.js';

/** Body of `POST /setWebhookFormat` (W-14). */
export class WebhookFormatDto {
  @ApiProperty(uuid)
  @IsUuid()
  client_id: Uuid;

  @ApiProperty({ enum: NOTIFICATION_FORMATS })
  @IsIn(NOTIFICATION_FORMATS)
  format: NotificationFormat;
}

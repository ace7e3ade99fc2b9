import { ApiProperty } from '@nestjs/swagger';
import { IsIn, IsUUID } from 'class-validator';

import type { NotificationFormat } from '../notification/notification-format.js';
import { NOTIFICATION_FORMATS } from '../notification/notification-format.js';

/** Body of `POST /setWebhookFormat` (W-14). */
export class WebhookFormatDto {
  @ApiProperty({ format: 'uuid' })
  @IsUUID('all')
  client_id: string;

  @ApiProperty({ enum: NOTIFICATION_FORMATS })
  @IsIn(NOTIFICATION_FORMATS)
  format: NotificationFormat;
}

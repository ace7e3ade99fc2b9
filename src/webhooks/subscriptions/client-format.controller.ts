import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiBearerAuth, ApiOperation, ApiProperty, ApiResponse, ApiTags } from '@nestjs/swagger';
import { IsIn } from 'class-validator';
import { Allow, CurrentCaller, InTurn } from '../../auth/access/decorators.js';
import type { Caller } from '../../kernel/domain/scopes/caller.js';
import type { Uuid } from '../../kernel/domain/uuid.js';
import { ServiceError } from '../../kernel/errors/service-error.js';
import { actorOf } from '../../platform/audit/audit-entry.js';
import { IsUuid } from '../../platform/dto/validators.js';
import { uuid } from '../../platform/dto/schemas.js';
import { NOTIFICATION_FORMATS, type NotificationFormat } from '../notification/notification-headers.js';
import { ClientFormats } from './client-formats.js';

/** W-14. */
export class WebhookFormatDto {
  @ApiProperty(uuid)
  @IsUuid()
  client_id: Uuid;

  @ApiProperty({ enum: NOTIFICATION_FORMATS })
  @IsIn(NOTIFICATION_FORMATS)
  format: NotificationFormat;
}

/** On the internal port (W-14). */
@ApiTags('System clients')
@ApiBearerAuth()
@Controller()
@InTurn('administration')
export class ClientFormatController {
  constructor(private readonly formats: ClientFormats) {}

  @Post('setWebhookFormat')
  @HttpCode(200)
  @Allow('natlsysadmin')
  @ApiOperation({
    operationId: 'systemClient-setWebhookFormat',
    summary: 'Set the format of a client’s new subscriptions that name none',
    description:
      'Receivers that were written for OpenCRVS 1.x cannot ask for theirs. Subscriptions that are there keep their own.',
  })
  @ApiResponse({ status: 200, description: 'Set' })
  async set(@Body() { client_id: clientId, format }: WebhookFormatDto, @CurrentCaller() caller: Caller): Promise<void> {
    if (!(await this.formats.set(clientId, format, actorOf(caller)))) {
      throw new ServiceError('NOT_FOUND', `System client not found with client_id: ${clientId}`);
    }
  }
}

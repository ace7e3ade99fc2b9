import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiBearerAuth, ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';

import { Allow } from '../../auth/access/allow.js';
import type { Caller } from '../../kernel/domain/scopes/caller.js';
import { CurrentCaller } from '../../auth/access/current-caller.js';
import { InTurn } from '../../auth/access/in-turn.js';
import { actorOf } from '../../platform/audit/audit-entry.js';
import { ServiceError } from '../../kernel/errors/service-error.js';
import { ClientFormats } from './client-formats.js';
import { WebhookFormatDto } from './webhook-format.dto.js';

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

import { Controller, Get, Query } from '@nestjs/common';
import { ApiOperation, ApiQuery, ApiResponse, ApiTags } from '@nestjs/swagger';
import { Allow, AllowOnly, InTurn } from '../access/decorators.js';
import { PathId, UuidParam } from '../access/parameters.js';
import { dateTime } from '../../platform/openapi/schemas.js';
import type { AuditPage } from '../../platform/audit/audit-pages.js';
import type { Uuid } from '../../kernel/domain/uuid.js';
import { AuditPageDto } from './integration.dto.js';
import { IntegrationAudit } from './integration-audit.js';
import { AUDIT_SCHEMA } from './integrations.schema.js';

const time = (name: string, description: string) => ({ name, required: false, schema: dateTime, description }) as const;

/** Audit log of system clients (I-3). */
@ApiTags('Integrations')
@Controller('integrations')
@InTurn('administration')
export class IntegrationAuditController {
  constructor(private readonly audit: IntegrationAudit) {}

  @Get(':id/audit')
  @Allow('integration.audit.read')
  // A system client may not read its own log either.
  @AllowOnly('user')
  @ApiOperation({
    operationId: 'integrations-audit',
    summary: 'What an integration did',
    description:
      'Its operations, the newest first. What was done to it is in the log of whoever did it. A page ends early at 2 MiB: the next one is at `skip` plus the number of its results.',
  })
  @UuidParam('id')
  @ApiQuery({ name: 'skip', required: false, schema: { type: 'integer', minimum: 0, default: 0 } })
  @ApiQuery({ name: 'count', required: false, schema: { type: 'integer', minimum: 1, maximum: 100, default: 10 } })
  @ApiQuery(time('timeStart', 'The first time, with an offset'))
  @ApiQuery(time('timeEnd', 'The last time, with an offset; not before `timeStart`'))
  @ApiResponse({ status: 200, description: 'A page of its operations, and how many there are', schema: AUDIT_SCHEMA })
  read(@PathId() clientId: Uuid, @Query() { skip, count, timeStart, timeEnd }: AuditPageDto): Promise<AuditPage> {
    return this.audit.read({ clientId, skip, count, timeStart, timeEnd });
  }
}

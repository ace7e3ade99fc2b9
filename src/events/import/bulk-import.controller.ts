import { Controller, HttpCode, Optional, Post, Req } from '@nestjs/common';
import { ApiBody, ApiConsumes, ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import { Accepts } from '../../platform/dto/accepts.js';
import { Allow, CurrentCaller } from '../../auth/access/decorators.js';
import type { PacedBody } from '../../platform/queue/body-places.js';
import type { Caller } from '../../kernel/domain/scopes/caller.js';
import { Capacities } from '../../platform/queue/capacities.js';
import { HangUp } from '../../platform/queue/hang-up.js';
import { actorOf } from '../../platform/audit/audit-entry.js';
import { AuditLog } from '../../platform/audit/audit-log.js';
import { ImportDatabase } from '../../platform/database/pools/pools.js';
import { EventConfiguration } from '../../kernel/domain/event-configuration/event-configuration.js';
import { ServiceError } from '../../kernel/errors/service-error.js';
import { ndjsonSource } from '../../kernel/input/ndjson-lines.js';
import { MOST_DERIVED } from '../records/record-row.js';
import { closedObject } from '../../platform/dto/schemas.js';
import { Outgoing } from '../write/acceptance.js';
import { importRecords } from './import-records.js';

/** A request whose body the gateway has not read; undefined if the request has no body. */
interface StreamedRequest {
  readonly body?: PacedBody | null;
}

const COUNT = { type: 'integer', minimum: 0 };
const ANSWER_SCHEMA = closedObject({
  imported: COUNT,
  updated: COUNT,
  rejected: COUNT,
  faults: {
    type: 'array',
    maxItems: 100,
    description: 'The first of the rejected lines',
    items: closedObject({
      line: { type: 'integer', minimum: 1 },
      issues: { type: 'array', items: closedObject({ message: { type: 'string' } }) },
    }),
  },
});

/** Records in bulk, as NDJSON, on the internal port. */
@ApiTags('Records')
@Controller('events')
export class BulkImportController {
  constructor(
    private readonly database: ImportDatabase,
    private readonly configuration: EventConfiguration,
    private readonly capacities: Capacities,
    private readonly audit: AuditLog,
    @Optional() private readonly outgoing?: Outgoing,
  ) {}

  /** NDJSON in, counts and the first faults out. Lines before a failure of the connection stay imported. */
  @Post('bulk-import')
  @HttpCode(200)
  @Allow('record.import')
  @Accepts(['ndjson-stream'], 'IMPORT_LIMIT_BYTES')
  @ApiOperation({
    operationId: 'event-bulkImport',
    summary: 'Import event records and event documents, one a line',
    description:
      'An id that is known is updated. A bad line does not stop the others: the answer names the first 100 with their faults. ' +
      'A body of another kind (a JSON array, UTF-16, gzip, CSV) is a 400, and nothing of it is taken.',
  })
  @ApiConsumes('application/x-ndjson')
  @ApiBody({ schema: { type: 'string', description: 'NDJSON' } })
  @ApiResponse({ status: 200, description: 'What became of the lines', schema: ANSWER_SCHEMA })
  async import(
    @Req() { body }: StreamedRequest,
    @CurrentCaller() caller: Caller,
    @HangUp() hungUp: AbortSignal,
  ): Promise<object> {
    if (!body) throw new ServiceError('BAD_REQUEST', 'A body is needed: records as NDJSON, one a line');
    const { faults, ...counts } = await this.capacities
      .receive('imports', { client: caller.subject, body, hungUp }, async () => {
        const source = await ndjsonSource(body);
        // Before its first record: an import that is killed has left it too.
        await this.audit.record(this.database, {
          ...actorOf(caller),
          operation: 'records.import',
          requestData: { publish: false },
          responseSummary: null,
        });
        return importRecords(this.database, this.configuration, source, {
          mostDerived: MOST_DERIVED,
          outgoing: this.outgoing,
        });
      })
      // The refused body is not read.
      .finally(() => body.destroy());
    return { ...counts, faults: faults.map(({ line, issues }) => ({ line, issues })) };
  }
}

import { Body, Controller, Get, HttpCode, Inject, Post, Query } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiPropertyOptional, ApiQuery, ApiResponse, ApiTags } from '@nestjs/swagger';
import { IsBoolean } from 'class-validator';
import { Allow, ApiErrorAnswer, CurrentCaller, InTurn } from '../../auth/access/decorators.js';
import type { Caller } from '../../kernel/domain/scopes/caller.js';
import { ServiceError } from '../../kernel/errors/service-error.js';
import { actorOf } from '../../platform/audit/audit-entry.js';
import { unlessAborted } from '../../platform/database/connection/queryable.js';
import { MayBeAbsent } from '../../platform/dto/members.js';
import { readDto } from '../../platform/dto/read-dto.js';
import { IsWholeNumber } from '../../platform/dto/validators.js';
import { closedObject, dateTime, uuid } from '../../platform/dto/schemas.js';
import { Capacities } from '../../platform/queue/capacities.js';
import { HangUp } from '../../platform/queue/hang-up.js';
import { ReindexProcess } from './reindex-process.js';
import { type ReindexRun, ReindexRuns } from './reindex-runs.js';

/** Upstream's keys. */
const RUN_SCHEMA = closedObject(
  {
    id: uuid,
    timestamp: { ...dateTime, description: 'When it was started' },
    status: { type: 'string', enum: ['running', 'completed', 'failed'] },
    progress: closedObject({ processed: { type: 'integer', description: 'Events' } }),
    error_message: { type: 'string' },
    completed_at: dateTime,
  },
  { required: ['id', 'timestamp', 'status', 'progress'] },
);

/** Body of `POST /events/reindex` (I-5). */
class StartReindexDto {
  @ApiPropertyOptional({ type: Boolean, default: true, description: 'Whether to answer when it has ended' })
  @MayBeAbsent()
  @IsBoolean()
  waitForCompletion = true;
}

class ListReindexDto {
  @MayBeAbsent()
  @IsWholeNumber(1, 100)
  limit = 10;
}

/** I-5. */
@ApiTags('Reindex')
@Controller('events/reindex')
@Allow('record.reindex')
export class ReindexController {
  constructor(
    @Inject(ReindexRuns) private readonly runs: Pick<ReindexRuns, 'find' | 'list'>,
    @Inject(ReindexProcess) private readonly processes: Pick<ReindexProcess, 'start'>,
    private readonly capacities: Capacities,
  ) {}

  @Post()
  @HttpCode(200)
  @ApiOperation({
    operationId: 'reindex-start',
    summary: 'Derive everything that searches read anew',
    description:
      'While searches and writes go on. One at a time, over all processes. Whoever does not wait finds its run in the list.',
  })
  @ApiBody({ required: false, type: StartReindexDto })
  @ApiResponse({ status: 200, description: 'The run, when it has ended, or as it was started', schema: RUN_SCHEMA })
  @ApiErrorAnswer('CONFLICT', 'Another reindex is running')
  async start(@Body() body: unknown, @CurrentCaller() caller: Caller, @HangUp() hungUp: AbortSignal): Promise<object> {
    const { waitForCompletion } = await readDto(StartReindexDto, body ?? {});
    const applicant = { client: caller.subject, hungUp };
    const { id, ended } = await this.capacities.run('administration', applicant, () =>
      this.processes.start(actorOf(caller)),
    );
    // The run continues without a waiting client.
    if (waitForCompletion) await unlessAborted(ended, hungUp);
    const run = await this.runs.find(id);
    if (run === undefined) throw new ServiceError('NOT_FOUND', `There is no run ${id}`);
    return viewOf(run);
  }

  @Get()
  @InTurn('administration')
  @ApiOperation({
    operationId: 'reindex-list',
    summary: 'The runs of a reindex',
    description: 'The newest first, those of the command line among them. A run whose process was killed has failed.',
  })
  @ApiQuery({ name: 'limit', required: false, schema: { type: 'integer', minimum: 1, maximum: 100, default: 10 } })
  @ApiResponse({ status: 200, description: 'The runs', schema: { type: 'array', items: RUN_SCHEMA } })
  async list(@Query() { limit }: ListReindexDto): Promise<object[]> {
    return (await this.runs.list(limit)).map(viewOf);
  }
}

const viewOf = ({ id, startedAt, status, processed, errorMessage, completedAt }: ReindexRun): object => ({
  id,
  timestamp: startedAt.toISOString(),
  status,
  progress: { processed },
  ...(errorMessage !== null && { error_message: errorMessage }),
  ...(completedAt !== null && { completed_at: completedAt.toISOString() }),
});

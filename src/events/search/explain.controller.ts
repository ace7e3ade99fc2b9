import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiResponse, ApiTags, type SchemaObject } from '@nestjs/swagger';
import { Allow, type Asker, CurrentAsker } from '../../auth/access/decorators.js';
import { closedObject } from '../../platform/dto/schemas.js';
import { schemaRef } from './request/schemas.js';
import { type Explanation, SearchExplanation } from './search-explanation.js';

const COUNT: SchemaObject = { type: 'integer', minimum: 0 };
const MS: SchemaObject = { type: 'number', minimum: 0, description: 'Milliseconds' };

/** The answer of `POST /events/search/explain`. */
const EXPLANATION_SCHEMA: SchemaObject = closedObject({
  total: COUNT,
  plan: closedObject({
    kind: { type: 'string', enum: ['single-statement', 'two-phase'] },
    why: { type: 'string' },
    estimate: { ...COUNT, description: 'How many records match, or somewhat more' },
    heavy: { type: 'boolean', description: 'Whether it waits for its turn among searches that take long' },
  }),
  query: { type: 'object', description: 'The clauses as they were understood, each with its estimate' },
  ms: closedObject({ read: MS, compile: MS, run: MS }),
  statements: {
    type: 'array',
    items: closedObject({
      sql: { type: 'string' },
      parameters: { type: 'array', items: {} },
      rows: COUNT,
      ms: MS,
      plan: { type: 'array', items: { type: 'object' }, description: 'explain (analyze, buffers, format json)' },
    }),
  },
});

/** Beyond the interface (S-15), on the internal port. */
@ApiTags('Search')
@Controller('events')
export class ExplainController {
  constructor(private readonly explanation: SearchExplanation) {}

  @Post('search/explain')
  @HttpCode(200)
  @Allow('sysadmin', 'natlsysadmin')
  @ApiOperation({
    operationId: 'event-explainSearch',
    summary: 'How a search is run, and the time of each step',
    description: 'Runs the search, and shows the plan, its statements and what PostgreSQL says of each.',
  })
  @ApiBody({ schema: schemaRef('ExplainRequest') })
  @ApiResponse({
    status: 200,
    description: 'The plan, its statements, and what Postgres says of them',
    schema: EXPLANATION_SCHEMA,
  })
  async explain(@Body() body: unknown, @CurrentAsker() asker: Asker): Promise<Explanation> {
    return this.explanation.explain(body, { ...asker, now: new Date() });
  }
}

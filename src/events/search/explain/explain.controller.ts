import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import { Allow } from '../../../auth/access/allow.js';
import { type Asker, CurrentAsker } from '../../../auth/access/asker.js';
import { schemaRef } from '../request/schema-ref.js';
import { EXPLANATION_SCHEMA } from './explanation.openapi.js';
import { type Explanation, SearchExplanation } from './search-explanation.js';

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

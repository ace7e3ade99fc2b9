import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import { Allow } from '../../../auth/access/allow.js';
import { type Asker, CurrentAsker } from '../../../auth/access/asker.js';
import { COUNTS_ANSWER_SCHEMA, COUNTS_REQUEST_SCHEMA } from './counts.openapi.js';
import { SearchCounts, type Totals } from './search-counts.js';

/** Beyond the interface (S-17). */
@ApiTags('Search')
@Controller('events')
export class CountsController {
  constructor(private readonly counts: SearchCounts) {}

  @Post('search/counts')
  @HttpCode(200)
  @Allow('record.search')
  @ApiOperation({
    operationId: 'event-countSearches',
    summary: 'How many records match each of several queries',
    description:
      'Exact totals of one moment, as work queues show them. Together the queries may cost what one search may.',
  })
  @ApiBody({ schema: COUNTS_REQUEST_SCHEMA })
  @ApiResponse({
    status: 200,
    description: 'The totals, in the order of the queries',
    schema: COUNTS_ANSWER_SCHEMA,
  })
  async count(@Body() body: unknown, @CurrentAsker() asker: Asker): Promise<Totals> {
    return this.counts.count(body, { ...asker, now: new Date() });
  }
}

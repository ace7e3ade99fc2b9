import { Controller, Get, Res } from '@nestjs/common';
import { ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';

import { Allow } from '../../auth/access/decorators.js';
import { Metrics } from '../../platform/metrics/metrics.js';

/** For Prometheus, on the internal port (G-10). */
@Controller('metrics')
@ApiTags('Health')
@Allow('public')
export class MetricsController {
  constructor(private readonly metrics: Metrics) {}

  @Get()
  @ApiOperation({
    operationId: 'metrics',
    summary: 'Metrics in the text format of Prometheus',
    description:
      'Requests by route and status, deliveries, refusals, the pool and the process. Counts of deliveries are of the database, and so the same in every process.',
  })
  @ApiResponse({ status: 200, description: 'Metrics', content: { 'text/plain': { schema: { type: 'string' } } } })
  async read(@Res({ passthrough: true }) reply: FastifyReply): Promise<string> {
    reply.type(this.metrics.registry.contentType);
    return this.metrics.registry.metrics();
  }
}

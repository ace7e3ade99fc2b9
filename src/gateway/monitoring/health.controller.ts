import { Controller, Get, Res } from '@nestjs/common';
import { ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Allow } from '../../auth/access/decorators.js';
import { closedObject } from '../../platform/dto/schemas.js';
import { Readiness, type ReadinessReport, type State } from './readiness.js';

const STATE = { type: 'string', enum: ['up', 'down'] };
const REPORT = closedObject({
  status: { type: 'string', enum: ['up', 'down', 'stopping'] },
  checks: closedObject(
    {
      database: { type: 'string', enum: ['up', 'down', 'standby', 'full', 'read-only'] },
      migrations: STATE,
      derived: { type: 'string', enum: ['up', 'needs reindex', 'superseded', 'down'] },
      queue: { type: 'string', enum: ['up', 'degraded', 'down'] },
      confirmations: { type: 'string', enum: ['up', 'down'] },
      notices: { type: 'string', enum: ['up', 'down'] },
      changes: { type: 'string', enum: ['up', 'degraded'] },
      replicas: { type: 'array', items: { type: 'string', enum: ['up', 'behind', 'down'] } },
    },
    { required: ['database', 'migrations', 'derived', 'queue', 'changes'] },
  ),
});

/** For process supervisors, on both ports (G-10). */
@Controller()
@ApiTags('Health')
@Allow('public')
export class HealthController {
  constructor(private readonly readiness: Readiness) {}

  @Get('health/live')
  @ApiOperation({
    operationId: 'health-live',
    summary: 'Whether the process runs',
    description: 'Answers as long as the process runs, whatever it needs is down. For restarts.',
  })
  @ApiResponse({
    status: 200,
    description: 'It runs',
    schema: closedObject({ status: { type: 'string', enum: ['up'] } }),
  })
  live(): { readonly status: State } {
    return { status: 'up' };
  }

  @Get('health/ready')
  @ApiOperation({
    operationId: 'health-ready',
    summary: 'Whether the process can serve requests',
    description:
      'Looks at the database, its migrations and the version of what searches read: 503 means that requests belong elsewhere. Also says how queues and replicas do, which no request waits for. For load balancers.',
  })
  @ApiResponse({ status: 200, description: 'It can', schema: REPORT })
  @ApiResponse({
    status: 503,
    description: 'It cannot; what is down is named',
    schema: REPORT,
    example: {
      status: 'down',
      checks: { database: 'down', migrations: 'down', derived: 'down', queue: 'down', changes: 'degraded' },
    },
  })
  async ready(@Res({ passthrough: true }) reply: FastifyReply): Promise<ReadinessReport> {
    const report = await this.readiness.report();
    reply.status(report.status === 'up' ? 200 : 503);
    return report;
  }

  @Get('ping')
  @ApiOperation({
    operationId: 'ping',
    summary: 'Answers',
    description: 'Asks nothing of anything.',
  })
  @ApiResponse({
    status: 200,
    description: 'It answers',
    schema: closedObject({ success: { type: 'boolean', enum: [true] } }),
  })
  ping(): { readonly success: true } {
    return { success: true };
  }
}

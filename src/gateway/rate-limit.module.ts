import { Global, Module } from '@nestjs/common';

import { FailedCredentialLimit } from '../auth/throttling/failed-credential-limit.js';
import { RequestThrottle } from '../auth/throttling/throttling-table.js';
import { ClientRateLimit } from './rate-limit/client-rate-limit.js';
import { CountedFailedCredentials } from './rate-limit/counted-failed-credentials.js';
import { CountedRequests } from './rate-limit/counted-requests.js';
import { RedisConnection } from './rate-limit/redis-connection.js';

/** Rate limits (G-8), for the guard and for whoever checks credentials. */
@Global()
@Module({
  providers: [
    RedisConnection,
    ClientRateLimit,
    { provide: FailedCredentialLimit, useClass: CountedFailedCredentials },
    { provide: RequestThrottle, useClass: CountedRequests },
  ],
  exports: [ClientRateLimit, FailedCredentialLimit, RequestThrottle],
})
export class RateLimitModule {}

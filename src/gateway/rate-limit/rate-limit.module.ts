import { Global, Module } from '@nestjs/common';

import { FailedCredentialLimit } from '../../auth/failed-credential-limit.js';
import { ClientRateLimit } from './client-rate-limit.js';
import { CountedFailedCredentials } from './counted-failed-credentials.js';
import { RedisConnection } from './redis-connection.js';

/** Rate limits (G-8), for the guard and for whoever checks credentials. */
@Global()
@Module({
  providers: [RedisConnection, ClientRateLimit, { provide: FailedCredentialLimit, useClass: CountedFailedCredentials }],
  exports: [ClientRateLimit, FailedCredentialLimit],
})
export class RateLimitModule {}

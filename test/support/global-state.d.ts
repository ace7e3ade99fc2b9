import type { ChildProcess } from 'node:child_process';

import type { OpenApiCheck } from './openapi-check.js';
import type { ReusedProcess } from './service-process.js';
import type { TokenIssuer } from './token-issuer.js';

declare global {
  /** Set by `global-setup.ts` for `global-teardown.ts`, which runs in the same process but shares no module with it. */
  var stopTestServer: (() => Promise<void>) | undefined;
  /** Of one spec file: ends what its hooks have not ended (`left-over.ts`). */
  var leftOver: Set<() => Promise<unknown>> | undefined;
  /** Of one worker: processes that wait for a command (`warm-command-line.ts`). */
  var idleCommandLines: ChildProcess[] | undefined;
  /** Of one worker: processes that wait for a service to run (`service-process.ts`). */
  var idleServices: ReusedProcess[] | undefined;
  /** Of one worker: checks of OpenAPI documents, by their text (`openapi-check.ts`). */
  var openApiChecks: Map<string, OpenApiCheck> | undefined;
  /** Of one worker: signs what its services accept (`application.ts`). */
  var serviceIssuer: TokenIssuer | undefined;
}

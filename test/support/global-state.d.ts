import type { IdleProgram } from './idle-programs.js';
import type { OpenApiCheck } from './openapi-check.js';
import type { TokenIssuer } from './token-issuer.js';

declare global {
  /** Set by `global-setup.ts` for `global-teardown.ts`, which runs in the same process but shares no module with it. */
  var stopTestServer: (() => Promise<void>) | undefined;
  /** Of one spec file: ends what its hooks have not ended (`left-over.ts`). */
  var leftOver: Set<() => Promise<unknown>> | undefined;
  /** Of one worker: processes that wait for a command, or for a service to run (`idle-programs.ts`). */
  var idlePrograms: IdleProgram[] | undefined;
  /** Of one worker: checks of OpenAPI documents, by their text (`openapi-check.ts`). */
  var openApiChecks: Map<string, OpenApiCheck> | undefined;
  /** Of one worker: signs what its services accept (`application.ts`). */
  var serviceIssuer: TokenIssuer | undefined;
}

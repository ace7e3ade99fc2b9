import type { OutgoingHttpHeaders } from 'node:http';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';

import helmet from 'helmet';

/** What helmet sets (G-7): the same for every answer, and dear to make anew for each. */
export function securityHeaders(): OutgoingHttpHeaders {
  const response = new ServerResponse(new IncomingMessage(new Socket()));
  const secure = helmet({
    // The page at /docs is served over plain http too, where browsers would then load its parts over https.
    contentSecurityPolicy: { directives: { upgradeInsecureRequests: null } },
  });
  secure(response.req, response, (error) => {
    if (error !== undefined) throw new Error('the security headers could not be made', { cause: error });
  });
  return response.getHeaders();
}

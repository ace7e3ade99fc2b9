import { ServiceError } from '../../errors/service-error.js';
import { ERROR_MESSAGES } from '../errors/error-messages.js';
import type { RouteList } from './route-list.js';

/** What is wrong with a request that has no route: its method (405, with those that the path takes) or its address (404). */
export function unknownAddress(rewrittenUrl: string, routes: RouteList): ServiceError {
  const [path = ''] = rewrittenUrl.split('?', 1);
  const methods = routes.methodsOf(path);
  return methods.length === 0
    ? new ServiceError('NOT_FOUND', ERROR_MESSAGES.NOT_FOUND)
    : new ServiceError('METHOD_NOT_ALLOWED', ERROR_MESSAGES.METHOD_NOT_ALLOWED, {
        headers: { allow: methods.join(', ') },
      });
}

import type { ExecutionContext } from '@nestjs/common';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import type { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';

/** Whether the handler of the route has a parameter of one of these kinds, such as `@Body()` or `@Query()`. */
export function handlerTakes(context: ExecutionContext, ...kinds: readonly RouteParamtypes[]): boolean {
  const parameters = (Reflect.getMetadata(ROUTE_ARGS_METADATA, context.getClass(), context.getHandler().name) ??
    {}) as object;
  return Object.keys(parameters).some((key) => kinds.some((kind) => key.startsWith(`${kind}:`)));
}

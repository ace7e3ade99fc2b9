import { RouteConfig } from '@nestjs/platform-fastify';

/** Route configuration for the router. */
export interface RouteSettings {
  readonly noHead?: boolean;
}

/**
 * For a GET that leaves a trace, such as READ or an audit row: HEAD is 405, since it would write or bypass the trace.
 */
export const NoHead = (): MethodDecorator => RouteConfig({ noHead: true } satisfies RouteSettings);

import { RouteConfig } from '@nestjs/platform-fastify';

/** What a route says of itself to the router. */
export interface RouteSettings {
  readonly noHead?: boolean;
}

/**
 * For a GET that leaves something behind, such as READ or a row of the audit log: HEAD is 405 there. It would either
 * write, which nobody expects of it, or tell of a record without a trace.
 */
export const NoHead = (): MethodDecorator => RouteConfig({ noHead: true } satisfies RouteSettings);

import { RouteConfig } from '@nestjs/platform-fastify';

export interface RouteSettings {
  readonly noHead?: boolean;
}

/** For a GET with a trace, such as READ or an audit row: HEAD is 405, since it would write or bypass it. */
export const NoHead = (): MethodDecorator => RouteConfig({ noHead: true } satisfies RouteSettings);

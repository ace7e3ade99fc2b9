import type { FastifyInstance } from 'fastify';

/** One route of the running application, as the router knows it: `/~records/events/:eventId`. */
export interface Route {
  readonly method: string;
  readonly path: string;
}

/** The routes that really exist, collected while they are registered. */
export class RouteList {
  private readonly found: Route[] = [];

  /** Collects every route that `fastify` registers from now on. */
  gather(fastify: FastifyInstance): void {
    fastify.addHook('onRoute', ({ method, url }) => {
      for (const each of [method].flat()) this.found.push({ method: each, path: url });
    });
  }

  get routes(): readonly Route[] {
    return this.found;
  }

  /** The methods that a path supports, in alphabetical order; none if there is no such path. */
  methodsOf(path: string): readonly string[] {
    const methods = this.found.filter((route) => matches(route.path, path)).map(({ method }) => method);
    return [...new Set(methods)].sort();
  }
}

function matches(pattern: string, path: string): boolean {
  const [wanted, given] = [pattern.split('/'), path.split('/')];
  return (
    wanted.length === given.length &&
    wanted.every((segment, at) => segment === given[at] || (segment.startsWith(':') && given[at] !== ''))
  );
}

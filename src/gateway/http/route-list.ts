import type { FastifyInstance } from 'fastify';

import type { RouteSettings } from '../../auth/access/decorators.js';

/** One route of the running application, as the router knows it: `/~records/events/:eventId`. */
export interface Route {
  readonly method: string;
  readonly path: string;
}

/** The routes that really exist, collected while they are registered. */
export class RouteList {
  private readonly found: Route[] = [];
  private readonly fixed = new Map<string, Set<string>>();

  /** Collects every route that `fastify` registers from now on. */
  gather(fastify: FastifyInstance): void {
    fastify.addHook('onRoute', ({ method, url, config }) => {
      const { noHead = false } = (config ?? {}) as RouteSettings;
      // Fastify makes a HEAD of every GET.
      for (const each of [method].flat()) if (each !== 'HEAD' || !noHead) this.add({ method: each, path: url });
    });
  }

  add(route: Route): void {
    this.found.push(route);
    if (hasParameters(route.path)) return;
    this.fixed.set(route.path, (this.fixed.get(route.path) ?? new Set()).add(route.method));
  }

  get routes(): readonly Route[] {
    return this.found;
  }

  /**
   * The methods that a path supports, in alphabetical order; none if there is no such path. A path without parameters
   * has its own alone: `/events/search` is no event with the id `search`.
   */
  methodsOf(path: string): readonly string[] {
    const matching = this.found.filter((route) => matches(route.path, path)).map(({ method }) => method);
    return [...(this.fixed.get(path) ?? new Set(matching))].sort();
  }

  /**
   * Whether the router took a request for a route that it is not for: a path for one with parameters, though it is one
   * without that has another method, or HEAD for a GET that has none.
   */
  isMistaken(matched: Route, path: string): boolean {
    if (hasParameters(matched.path) && this.fixed.has(path)) return true;
    return matched.method === 'HEAD' && !this.methodsOf(path).includes('HEAD');
  }
}

const hasParameters = (path: string): boolean => /[:*]/.test(path);

function matches(pattern: string, path: string): boolean {
  const [wanted, given] = [pattern.split('/'), path.split('/')];
  return (
    wanted.length === given.length &&
    wanted.every((segment, at) => segment === given[at] || (segment.startsWith(':') && given[at] !== ''))
  );
}

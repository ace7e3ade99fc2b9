import { Injectable, RequestMethod } from '@nestjs/common';
import { METHOD_METADATA, MODULE_PATH, PATH_METADATA } from '@nestjs/common/constants.js';
import { DiscoveryService, MetadataScanner, ModulesContainer, Reflector } from '@nestjs/core';
import {
  ACCESS_RULE,
  type AccessRule,
  CAPACITY,
  ONLY_USER_TYPE,
  OWN_URL_KEYS,
  type OwnUrlKeys,
} from '../../auth/access/decorators.js';
import type { CapacityName } from '../../platform/queue/capacities.js';
import type { UserType } from '../../kernel/domain/event-record.js';

export interface CataloguedRoute {
  /** `POST` */
  readonly method: string;
  /** As the router has it: `/~records/events/:eventId`. */
  readonly path: string;
  /** Undefined if undeclared. */
  readonly access: AccessRule | undefined;
  /** Undefined if all may. */
  readonly only: UserType | undefined;
  /** Undefined without turns, or with others. */
  readonly capacity: CapacityName | undefined;
  /** URL parameters outside the DTO. */
  readonly ownUrlKeys: OwnUrlKeys | undefined;
}

type Handler = (...parameters: never[]) => unknown;

/** Every route with its rules (G-2). */
@Injectable()
export class RouteCatalogue {
  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
    private readonly modules: ModulesContainer,
    private readonly reflector: Reflector,
  ) {}

  routes(): readonly CataloguedRoute[] {
    return this.discovery.getControllers().flatMap(({ metatype: controller, host }) => {
      if (controller === null) return [];
      const mount = pathOf(`${MODULE_PATH}${this.modules.applicationId}`, host?.metatype);
      return this.handlersOf(controller).flatMap((handler) => {
        const method: unknown = Reflect.getMetadata(METHOD_METADATA, handler);
        if (typeof method !== 'number') return [];
        const path = [mount, pathOf(PATH_METADATA, controller), pathOf(PATH_METADATA, handler)].join('');
        const access = this.reflector.getAllAndOverride<AccessRule | undefined>(ACCESS_RULE, [handler, controller]);
        const only = this.reflector.getAllAndOverride<UserType | undefined>(ONLY_USER_TYPE, [handler, controller]);
        const capacity = this.reflector.getAllAndOverride<CapacityName | undefined>(CAPACITY, [handler, controller]);
        const ownUrlKeys = this.reflector.get<OwnUrlKeys | undefined>(OWN_URL_KEYS, handler);
        return [{ method: RequestMethod[method] ?? 'ALL', path, access, only, capacity, ownUrlKeys }];
      });
    });
  }

  private handlersOf(controller: { readonly prototype: object } | Handler): readonly Handler[] {
    const prototype = controller.prototype as Readonly<Record<string, unknown>>;
    return this.scanner
      .getAllMethodNames(prototype)
      .map((name) => prototype[name])
      .filter((member): member is Handler => typeof member === 'function');
  }
}

/** Ready to be appended: `/token`, or empty. */
function pathOf(key: string, target: object | undefined | null): string {
  const path: unknown = target ? Reflect.getMetadata(key, target) : undefined;
  const trimmed = typeof path === 'string' ? path.replace(/^\/|\/$/g, '') : '';
  return trimmed === '' ? '' : `/${trimmed}`;
}

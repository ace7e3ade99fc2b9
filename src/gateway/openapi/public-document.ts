import type { OpenAPIObject } from '@nestjs/swagger';

type Members = Readonly<Record<string, unknown>>;
type Operation = NonNullable<OpenAPIObject['paths'][string]['get']>;

const REFERENCE = /^#\/components\/(\w+)\/(.+)$/;

/** Without operations tagged `internalTag`, and their components (G-9). */
export function publicDocument(document: OpenAPIObject, internalTag: string): OpenAPIObject {
  const isPublic = (operation: unknown): boolean => !tagsOf(operation).includes(internalTag);
  const paths = Object.fromEntries(
    Object.entries(document.paths)
      .map(([path, item]) => [path, Object.fromEntries(Object.entries(item).filter(([, each]) => isPublic(each)))])
      .filter(([, item]) => Object.keys(item as object).length > 0),
  ) as OpenAPIObject['paths'];
  const tags = document.tags?.filter(({ name }) => name !== internalTag);
  const { securitySchemes = {}, ...components } = document.components ?? {};
  return {
    ...document,
    ...(tags !== undefined && { tags }),
    paths,
    components: { ...needed(components, paths), securitySchemes: withScopesOf(paths, securitySchemes) },
  };
}

type Schemes = NonNullable<NonNullable<OpenAPIObject['components']>['securitySchemes']>;

function withScopesOf(paths: OpenAPIObject['paths'], schemes: Schemes): Schemes {
  const operations = Object.values(paths).flatMap((item) => Object.values(item) as Operation[]);
  const asked = new Set(
    operations.flatMap(({ security = [] }) => security.flatMap((one) => Object.values(one).flat())),
  );
  return Object.fromEntries(
    Object.entries(schemes).map(([name, scheme]) => {
      const flow = 'flows' in scheme ? scheme.flows.clientCredentials : undefined;
      if (flow === undefined) return [name, scheme];
      const scopes = Object.fromEntries(Object.entries(flow.scopes).filter(([scope]) => asked.has(scope)));
      return [name, { ...scheme, flows: { clientCredentials: { ...flow, scopes } } }];
    }),
  );
}

const tagsOf = (operation: unknown): readonly unknown[] =>
  typeof operation === 'object' && operation !== null && 'tags' in operation && Array.isArray(operation.tags)
    ? operation.tags
    : [];

/** Transitive. */
function needed(components: object, from: object): Members {
  const found = new Map<string, Map<string, unknown>>();
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    for (const [key, member] of Object.entries(value as Members)) {
      if (key === '$ref' && typeof member === 'string') follow(member);
      else visit(member);
    }
  };
  const follow = (reference: string): void => {
    const [, kind = '', name = ''] = REFERENCE.exec(reference) ?? [];
    const component = ((components as Readonly<Record<string, Members>>)[kind] ?? {})[name];
    const ofKind = found.get(kind) ?? new Map<string, unknown>();
    if (component === undefined || ofKind.has(name)) return;
    found.set(kind, ofKind.set(name, component));
    visit(component);
  };
  visit(from);
  return Object.fromEntries([...found].map(([kind, members]) => [kind, Object.fromEntries(members)]));
}

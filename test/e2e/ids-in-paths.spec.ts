import type { RunningApplication } from '../support/application.js';
import { startApplication } from '../support/application.js';

let service: RunningApplication;
beforeAll(async () => {
  service = await startApplication();
});
afterAll(() => service.stop());

interface Operation {
  readonly requestBody?: object;
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly schema?: object }[];
}

const SOME_ID = '11111111-1111-4111-8111-111111111111';
const NO_ID = 'no-uuid';
const SCOPES = ['read', 'review-duplicates', 'declare', 'notify'].map((operation) => `record.${operation}`);
const OTHERS = ['location.edit', 'webhook', 'natlsysadmin', 'sysadmin', 'integration.create', 'user.read'];

/** For each parameter that the document calls a UUID: the address with another text there, and UUIDs in the others. */
async function addresses(): Promise<readonly (readonly [method: string, path: string])[]> {
  const { json } = await service.request('GET', '/openapi.json', { listener: 'internal' });
  const { paths } = json as { readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>> };
  return Object.entries(paths).flatMap(([template, operations]) =>
    Object.entries(operations).flatMap(([method, { parameters = [], requestBody }]) => {
      const ids = parameters.filter((one) => one.in === 'path' && 'format' in (one.schema ?? {}));
      // What is wrong with a body would hide whether the id is refused.
      if (requestBody !== undefined) return [];
      return ids.map(({ name }) => {
        const path = template.replace(`{${name}}`, NO_ID).replaceAll(/\{\w+\}/g, SOME_ID);
        return [method.toUpperCase(), path] as const;
      });
    }),
  );
}

describe('a parameter of a path that the description calls a UUID', () => {
  it('is refused with 400 or 404 where it is other text', async () => {
    const { clientId } = await service.registerClient('HEALTH');
    const scope = [...SCOPES, ...OTHERS];
    const tokens = [
      await service.issuer.token({ sub: clientId, userType: 'system', scope }),
      await service.issuer.token({ sub: 'clerk', userType: 'user', scope }),
    ];
    const asked = await addresses();
    expect(asked.length).toBeGreaterThan(15);
    const taken: string[] = [];
    for (const [method, path] of asked) {
      const statuses = new Set<number>();
      for (const token of tokens) {
        statuses.add((await service.request(method, path, { token, listener: 'internal' })).status);
      }
      if (!statuses.has(400) && !statuses.has(404)) taken.push(`${method} ${path} ${[...statuses].join()}`);
    }
    // Its address has no signature either, which is all that is told (F-3).
    expect(taken).toEqual([`GET /files/${NO_ID} 403`]);
  });
});

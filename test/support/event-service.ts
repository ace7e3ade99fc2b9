import { randomUUID } from 'node:crypto';
import { importLocations } from '../../src/auth/locations/import-locations.js';
import { type RunningApplication, startApplication } from './application.js';
import { COUNTRY, OFFICE } from './areas.js';
import { createTestDatabase, type TestDatabase } from './postgres.js';

/** One action in an answer, as far as tests look at it. */
interface AnsweredAction {
  readonly id: string;
  readonly transactionId: string;
  readonly type: string;
  readonly status: string;
  readonly createdAt: string;
  readonly createdBy: string;
  readonly createdByUserType: string;
  readonly createdAtLocation?: string;
  readonly declaration: Readonly<Record<string, unknown>>;
  readonly content?: Readonly<Record<string, unknown>> | null;
  readonly registrationNumber?: string;
  readonly assignedTo?: string;
}

/** An event in an answer. */
export interface AnsweredEvent {
  readonly id: string;
  readonly type: string;
  readonly trackingId: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly actions: readonly AnsweredAction[];
}

interface Answered {
  readonly status: number;
  readonly event: AnsweredEvent;
  /** Of a refusal. */
  readonly message: string;
  readonly issues: readonly { readonly message: string }[] | undefined;
}

/** Whoever sends operations on events. */
export interface EventCaller {
  readonly token: string;
  post(path: string, body: object): Promise<Answered>;
  get(id: string): Promise<Answered>;
  delete(id: string): Promise<Answered>;
}

/** The program on a database of its own that has the places of `COUNTRY`, and what is prepared in it. */
export async function startEventService(
  env: Readonly<Record<string, string>> = {},
  prepare: (database: TestDatabase) => Promise<void> = () => Promise.resolve(),
): Promise<{ readonly service: RunningApplication; readonly database: TestDatabase; stop(): Promise<void> }> {
  const database = await createTestDatabase();
  await importLocations(database.database, COUNTRY);
  await prepare(database);
  const service = await startApplication({ env, database });
  const stop = async (): Promise<void> => {
    await service.stop();
    await database.drop();
  };
  return { service, database, stop };
}

/** Sends operations with this token. */
export function eventCaller(service: Pick<RunningApplication, 'request'>, token: string): EventCaller {
  const ask = async (method: string, path: string, body?: object): Promise<Answered> => {
    const { status, json } = await service.request(method, path, { token, ...(body !== undefined && { body }) });
    const { message, issues } = json as Answered;
    return { status, event: json as AnsweredEvent, message, issues };
  };
  return {
    token,
    post: (path, body) => ask('POST', `/events${path}`, body),
    get: (id) => ask('GET', `/events/${id}`),
    delete: (id) => ask('DELETE', `/events/${id}`),
  };
}

/** Types and statuses of an event's actions: `NOTIFY Requested`. */
export const course = ({ actions }: AnsweredEvent): readonly string[] =>
  actions.map(({ type, status }) => `${type} ${status}`);

/** The body of a notification by a system client. */
export const aNotification = (changes: object = {}) => ({
  transactionId: randomUUID(),
  createdAtLocation: OFFICE,
  declaration: { 'child.name': { firstname: 'Ana', surname: 'Musonda' }, 'child.dob': '2026-02-20' },
  ...changes,
});

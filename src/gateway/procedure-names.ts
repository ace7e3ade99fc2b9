/**
 * The procedures that can be called in the way of tRPC (I-4), by the names that they have upstream: each is an address,
 * and so are several between commas (a batch).
 */
export const PROCEDURE_NAMES = [
  'event.search',
  'event.get',
  'event.file.getPresignedUrl',
  'locations.list',
  'administrativeAreas.list',
  'integrations.create',
  'integrations.list',
  'integrations.get',
  'integrations.activate',
  'integrations.deactivate',
  'integrations.refreshSecret',
  'integrations.delete',
  'integrations.audit',
] as const;

/** The name of a procedure. */
export type ProcedureName = (typeof PROCEDURE_NAMES)[number];

/** Whether it is the name of a procedure. */
export const isProcedureName = (text: string): text is ProcedureName => PROCEDURE_NAMES.some((name) => name === text);

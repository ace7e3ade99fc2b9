import type { EventConfiguration } from '../../domain/event-configuration/event-configuration.js';
import { atFirst, withShortWaits } from '../patient-locks.js';
import type { ReindexSession } from '../reindex-session.js';
import { DROP_SHADOW_TABLES, ShadowTables } from '../shadow-tables.js';
import { FORGET_RESUME_POINT } from './forget-resume-point.js';
import { originOf } from './origin.js';
import type { ResumePoint } from './resume-point.js';
import { beginResumePoint, leftResumePoint, noteChangesSince } from './resume-point.js';

interface Begun {
  readonly tables: ShadowTables;
  readonly point: ResumePoint;
}

/**
 * Goes on with what an interrupted run has left, where that was derived as this run would do it, or begins with empty
 * tables. Changes must be noted already, and the terms of areas be those of the places. `onNote` is told which, and
 * why.
 */
export async function beginOrResume(
  session: ReindexSession,
  configuration: EventConfiguration,
  restart: boolean,
  onNote: (note: string) => void,
): Promise<Begun> {
  const existing = await ShadowTables.existing(session);
  const left = await leftResumePoint(session, await originOf(session, existing, configuration));
  if (left !== undefined && 'point' in left && !restart) {
    const { point } = left;
    onNote(`Going on with the reindex of ${point.beganAt.toISOString()}: ${point.events} events are derived.`);
    await noteChangesSince(session, point);
    return { tables: existing, point };
  }
  if (left !== undefined) {
    const reason = 'reason' in left ? left.reason : 'as it was told to';
    onNote(`Beginning anew, not going on with an interrupted reindex: ${reason}.`);
  }
  await withShortWaits(session, () => session.execute([...DROP_SHADOW_TABLES, FORGET_RESUME_POINT]), {
    onRefused: atFirst((attempts) => {
      onNote(`Waiting for reads that last, to remove what an interrupted reindex has left: attempt ${attempts}.`);
    }),
  });
  const tables = await ShadowTables.create(session);
  return { tables, point: await beginResumePoint(session, await originOf(session, tables, configuration)) };
}

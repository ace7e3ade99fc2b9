import { setTimeout as sleep } from 'node:timers/promises';

import type { Arena } from './arena.js';
import type { Attack } from './attack.js';
import type { Bystander, Lap } from './bystander.js';

/** How long the bystander is watched before an attack. */
const CALM_MS = 2_000;
/** What an attack may cost another client: its 99th percentile stays under the larger of these. */
const P99_MS = 1_000;
const P99_TIMES = 20;
/** What may be held more than before, once an attack is over and this long has passed. */
const HELD_MB = 64;
const COLLECTED_MS = 180_000;

export interface Outcome extends Pick<Attack, 'attack' | 'open'> {
  /** What the attacker got. */
  readonly got: string;
  readonly calm: Lap;
  readonly attacked: Lap;
  /** What must not be; none is a pass. */
  readonly faults: readonly string[];
}

/** Plays one attack, and tells what came of it, for the attacker and for another client. */
export async function trial(
  { attack, open, act }: Attack,
  { arena, bystander }: { readonly arena: Arena; readonly bystander: Bystander },
): Promise<Outcome> {
  await bystander.lap();
  await sleep(CALM_MS);
  const calm = await bystander.lap();
  const heldBefore = await arena.heldMegabytes();
  const faults: string[] = [];
  const what = { attack, ...(open !== undefined && { open }) };
  const got = await act(arena).catch((error: unknown) => {
    faults.push(error instanceof Error ? error.message : String(error));
    return 'what it must not';
  });
  const attacked = await bystander.lap();
  if (!arena.isAlive) return { ...what, got, calm, attacked, faults: [...faults, 'the process died'] };
  const bound = Math.max(P99_MS, P99_TIMES * calm.p99Ms);
  if (attacked.p99Ms > bound) faults.push(`a look-up took ${attacked.p99Ms.toFixed(0)} ms, of ${bound.toFixed(0)}`);
  for (const outcome of Object.keys(attacked.outcomes)) {
    if (outcome !== 'found') faults.push(`a look-up of another client ended with: ${outcome}`);
  }
  const heldAfter = await heldAtLast(arena, heldBefore + HELD_MB);
  if (heldAfter > heldBefore + HELD_MB) faults.push(`${(heldAfter - heldBefore).toFixed(0)} MB did not come back`);
  return { ...what, got, calm, attacked, faults };
}

/**
 * Node collects what has become old only when more has become so: look-ups alone leave too little for that, so it is
 * asked many times.
 */
async function heldAtLast(arena: Arena, boundMb: number): Promise<number> {
  const until = performance.now() + COLLECTED_MS;
  for (;;) {
    const [held = Infinity] = await Promise.all(Array.from({ length: 20 }, () => arena.heldMegabytes()));
    if (held <= boundMb || performance.now() > until) return held;
    await sleep(100);
  }
}

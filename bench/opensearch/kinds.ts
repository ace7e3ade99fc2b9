import { percentileOf } from '../measure/spread.js';
import type { Draws } from '../search/query-kinds.js';
import { QUERY_KINDS } from '../search/query-kinds.js';
import type { Asked, Contenders, Name } from './contenders.js';
import { byName, NAMES } from './contenders.js';

export interface Times {
  readonly p50: number;
  readonly p98: number;
  readonly most: number;
}

export interface KindCompared {
  readonly kind: string;
  /** Records that match, in the median. */
  readonly matches: number;
  readonly ms: Readonly<Record<Name, Times>>;
}

/** A search for which not all have the same total. */
export interface Disagreement {
  readonly kind: string;
  readonly query: object;
  readonly totals: Readonly<Record<Name, number>>;
}

const WARM_UP_RUNS = 10;

/**
 * How long each of the 22 kinds takes with one caller, page of a hundred and total: each drawn search is put to all,
 * one after the other, and their totals are compared. Who is first changes with every search.
 */
export async function compareKinds(
  contenders: Contenders,
  draws: Draws,
  runs: number,
  tell: (line: string) => void,
): Promise<{ readonly kinds: KindCompared[]; readonly disagreements: Disagreement[] }> {
  const kinds: KindCompared[] = [];
  const disagreements: Disagreement[] = [];
  for (const kind of QUERY_KINDS) {
    const next = (): Asked => ({ query: kind.draw(draws) });
    for (let run = 0; run < WARM_UP_RUNS; run++) await askAll(contenders, next(), run);
    const answers: Answers[] = [];
    for (let run = 0; run < runs; run++) {
      const asked = next();
      const found = await askAll(contenders, asked, run);
      answers.push(found);
      // A record may have come into a period between two questions: they are asked again.
      if (agree(found) || agree(await askAll(contenders, asked, run))) continue;
      disagreements.push({ kind: kind.name, query: asked.query, totals: byName((name) => found[name].total) });
    }
    const ms = byName((name) => timesOf(answers.map((of) => of[name].ms)));
    const matches = percentileOf(
      answers.map((of) => of.matricula.total),
      0.5,
    );
    kinds.push({ kind: kind.name, matches, ms });
    tell(`${kind.name}: p50 ${NAMES.map((name) => `${name} ${ms[name].p50.toFixed(1)}`).join(', ')} ms`);
  }
  return { kinds, disagreements };
}

type Answers = Readonly<Record<Name, { readonly ms: number; readonly total: number }>>;

async function askAll(contenders: Contenders, asked: Asked, turn: number): Promise<Answers> {
  const order = NAMES.map((_, at) => NAMES[(at + turn) % NAMES.length] ?? 'matricula');
  const found = new Map<Name, Answers[Name]>();
  for (const name of order) {
    const { ms, body } = await contenders[name].search(asked);
    found.set(name, { ms, total: contenders[name].totalOf(body) });
  }
  return byName((name) => found.get(name) ?? { ms: NaN, total: NaN });
}

const agree = (of: Answers): boolean => NAMES.every((name) => of[name].total === of.matricula.total);

export const timesOf = (values: readonly number[]): Times => ({
  p50: percentileOf(values, 0.5),
  p98: percentileOf(values, 0.98),
  most: percentileOf(values, 1),
});

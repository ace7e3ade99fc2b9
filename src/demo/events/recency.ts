import type { Prng } from '../prng.js';

const TIME_PERIODS = ['last7Days', 'last30Days', 'last90Days', 'last365Days'];

/** A time period, as a form asks for it instead of a date (interface, Declaration values). */
export const drawRecency = (prng: Prng): string => prng.pick(TIME_PERIODS);

/** Milliseconds of a clock that all processes of the machine share, to the microsecond. */
export const sharedNowMs = (): number => Number(process.hrtime.bigint() / 1_000n) / 1_000;

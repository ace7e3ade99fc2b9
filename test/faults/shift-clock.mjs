// Preloaded into a process whose clock is to be off: `Date` is `CLOCK_OFF_MS` ahead of the machine's.
const offMs = Number(process.env.CLOCK_OFF_MS);
const TrueDate = Date;

globalThis.Date = class Date extends TrueDate {
  constructor(...given) {
    if (given.length === 0) super(TrueDate.now() + offMs);
    else super(...given);
  }

  static now() {
    return TrueDate.now() + offMs;
  }
};

import { InvalidArgumentError } from 'commander';

/** Reads an option as a whole number in `[least, most]`; anything else is wrong usage. */
export const wholeNumber =
  (least: number, most: number) =>
  (text: string): number => {
    const number = Number(text);
    if (!/^\d+$/.test(text) || number < least || number > most) {
      throw new InvalidArgumentError(`Allowed: a whole number from ${least} to ${most}.`);
    }
    return number;
  };

import type { UserType } from './user-type.js';

/** Who has done something: the ids of people and of system clients are different ones even where they are equal. */
export interface Author {
  readonly createdBy: string;
  readonly createdByUserType: UserType | null;
}

/** The kind of an author of whom no kind is stored. */
export const ASSUMED_USER_TYPE: UserType = 'user';

/** Whether the author has this id and is of this kind; if `userType` is undefined, of either kind. */
export const isBy = (
  { createdBy, createdByUserType }: Author,
  subject: string,
  userType: UserType | undefined,
): boolean =>
  createdBy === subject && (userType === undefined || (createdByUserType ?? ASSUMED_USER_TYPE) === userType);

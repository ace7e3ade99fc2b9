import type { UserType } from './user-type.js';

/** Who has done something: the ids of people and of system clients are different ones even where they are equal. */
export interface Author {
  readonly createdBy: string;
  readonly createdByUserType: UserType | null;
}

/** Of which kind an author is who is not said to be of one. */
export const ASSUMED_USER_TYPE: UserType = 'user';

/** Whether it was done by whoever has this id and is of this kind; `userType` undefined: of either. */
export const isBy = (
  { createdBy, createdByUserType }: Author,
  subject: string,
  userType: UserType | undefined,
): boolean =>
  createdBy === subject && (userType === undefined || (createdByUserType ?? ASSUMED_USER_TYPE) === userType);

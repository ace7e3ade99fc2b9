import type { UserType } from './user-type.js';

/** People and system clients have separate ids, even where these are equal. */
export interface Author {
  readonly createdBy: string;
  readonly createdByUserType: UserType | null;
}

/** For an author without a stored kind. */
export const ASSUMED_USER_TYPE: UserType = 'user';

/** A client with the id of a person is not that person. */
export interface Somebody {
  readonly subject: string;
  readonly userType: UserType;
}

export const isBy = ({ createdBy, createdByUserType }: Author, { subject, userType }: Somebody): boolean =>
  createdBy === subject && (createdByUserType ?? ASSUMED_USER_TYPE) === userType;
